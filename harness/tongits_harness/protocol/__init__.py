"""What harness and bot say to each other: encoding, link, clock, conversation."""

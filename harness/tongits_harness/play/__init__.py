"""Playing: plan, schedule, session, tournament."""

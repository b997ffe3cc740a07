"""Write a Tong-its bot in Python."""

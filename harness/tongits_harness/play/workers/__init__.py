"""Worker processes: `crew` deals sessions out, `worker` is the program, `messages` the talk."""

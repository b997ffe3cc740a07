"""`tongits verify`: all that is stored of a tournament, made again from its secret and actions."""

#!/bin/sh
# Starts greedy.awk. mawk, the awk of Debian, waits for a block of lines unless it is told not to,
# and the others do not know the option.
case $(awk -W version 2>&1 </dev/null) in
    mawk*) exec awk -W interactive -f greedy.awk ;;
    *) exec awk -f greedy.awk ;;
esac

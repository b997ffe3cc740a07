#!/bin/sh
# Compares a bot with greedy, decision by decision:  ./test.sh sh awk.sh
# (also: ./test.sh perl greedy.pl, ./test.sh ./greedy-c, ./test.sh ./mybot ARGUMENT...)
corpus=corpus.jsonl
[ -f "$corpus" ] || corpus=../corpus/observations.jsonl
[ -f "$corpus" ] || { echo "test.sh: neither corpus.jsonl nor $corpus is here" >&2; exit 2; }
[ $# -gt 0 ] || { echo "usage: ./test.sh PROGRAM [ARGUMENT...]" >&2; exit 2; }

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
sed 's/.*"line": \({.*}\), "greedy": .*/\1/' "$corpus" >"$folder/lines"
sed 's/.*"greedy": "\([^"]*\)".*/\1/' "$corpus" >"$folder/expected"
"$@" <"$folder/lines" >"$folder/answers" || { echo "test.sh: $1 failed" >&2; exit 1; }
diff "$folder/expected" "$folder/answers" || exit 1
echo "$(wc -l <"$folder/lines") of $(wc -l <"$folder/lines") answers as expected"

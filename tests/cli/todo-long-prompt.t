#!/usr/bin/env bash
# A prompt of more than 100 KB, many lines, tabs, quotes and Unicode, reaches a worker in raw mode byte
# for byte.
# shellcheck disable=SC2016 # nothing here is for the shell
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Read `big.txt` and "more.txt" — ünïcödé ✓ 漢字 🎉 $HOME `rm -rf /` \x1b'
for ((i = 0; i < 1200; i++)); do
	printf '%04d\t"quotes"\x27single\x27 `ticks` $HOME \\n ünïcödé ✓ 漢字 🎉\r%d\n' "$i" $((i * i))
done | tr -d '\r' | head -c 64000 | iconv -f UTF-8 -t UTF-8 -c >big.txt
cp big.txt more.txt
echo '<promise>DONE</promise>' >>more.txt
git add . && git commit -qm big
worker <<'END'
case $KIND in task) ralph done ;; esac
END
: >"$led/echo"
todo
exit_is 0 "done"
got=$led/T001.1.task
ok "it is long ($(wc -c <"$got") bytes)" test "$(wc -c <"$got")" -gt 100000
ok "the first file is in it, byte for byte" python3 -c '
import sys
got = open(sys.argv[1], "rb").read()
sys.exit(not all(open(f, "rb").read() in got for f in sys.argv[2:]))' "$got" big.txt more.txt
ok "and it is what was sent" cmp "$got" <(head -c -1 "$RALPH_HOME/loops/$name/sessions/"*/prompt)
like "$(head -n 4 "$got")" 'Read `big\.txt` and "more\.txt" — ünïcödé ✓ 漢字 🎉 \$HOME `rm -rf /` \\x1b' "the task's own words, too"
is "$(facts 'select(.signal == "done") | .fact')" signalled "the tag in it, shown on the screen, is not the worker's"
no_leftovers "nothing goes on"
done_testing

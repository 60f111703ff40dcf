#!/usr/bin/env bash
# A full disk where done files are: a worker's `ralph done` waits for space and costs nothing; so does a commit that
# waits since an earlier run.
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "cannot mount here"
. "$root/tests/cli/todo.sh"
mkdir "$T/own"
mount -t tmpfs -o size=2m none "$T/own"
cat >"$T/fill" <<END
head -c 4M /dev/zero >$T/own/fill
for i in \$(seq 99); do head -c 4096 /dev/zero >$T/own/fill.\$i; done
END
status_says() { "$RALPH" status "$1" | grep -qE "$2"; }
cd "$T/own" || exit 1
project '- [ ] T001: One'
worker <<'END'
case $KIND in
task)
	echo 1 >one.txt
	sh "$T/fill" 2>/dev/null
	ralph done --summary 'one' >"$T/said" 2>&1
	echo "$?" >"$T/rc"
	;;
esac
END
export T
todo_bg --name own --inactivity-timeout 3 --max-nudges 1
job=$bg
wait_for 60 grep -q 'waiting for the disk: .*No space left on device' "$T/said"
pass "the command says what it waits for"
# Another's worker, which is silent, is asked and given up meanwhile.
mkdir -p "$T/silent" "$T/idle/ai"
echo : >"$T/silent/script"
printf -- '- [ ] T001: One\n' >"$T/idle/ai/todo.md"
(cd "$T/idle" && timeout 120 "$RALPH" todo --name idle --inactivity-timeout 3 --max-nudges 1 --max-iterations 1 -- \
	"$AGENT" -e "led $T/silent" >"$T/idle.out" 2>&1)
like "$(cut -d ' ' -f 1,2 "$T/silent/log" | xargs)" '^task T001 probe T001' "silence is looked into"
not_ok "and waits" test -e "$T/rc"
is "$(texts | xargs)" "task T001" "nobody takes its worker for one that hangs"
rm -f "$T"/own/fill*
end_bg 120 "$job"
exit_is 0 "the run ends well"
is "$(cat "$T/rc")" 0 "the word was heard"
is "$(texts | xargs)" "task T001" "the first time"
is "$(commits)" "T001: one" "and committed"

# What waits for its commit.
list '- [ ] T002: Two'
worker <<'END'
case $KIND in task) echo 2 >two.txt; ralph done --summary 'two' ;; esac
END
touch .git/index.lock
todo --name own
exit_is 14 "a task waits for its commit"
rm .git/index.lock
sh "$T/fill" 2>/dev/null
todo_bg --name own --on-alert "cat >>$T/alerts"
job=$bg
wait_for 60 status_says own 'waiting for disk space'
pass "the next run says what it waits for"
rm -f "$T"/own/fill*
end_bg 120 "$job"
exit_is 0 "and commits it when there is space"
is "$(commits | head -n 1)" "T002: two" "with its words"
unlike "$(jq -r .text "$T/alerts")" 'not committed' "nobody was told that it cannot be"
is "$(marks)" "x T002" "and ticks it"
cd /
no_leftovers "nothing goes on"
umount "$T/own"
done_testing

#!/usr/bin/env bash
# A disk that is full under `ralph todo`: the task that was finished loses nothing, it is said what
# is waited for, and the run goes on, and ends, when there is space.
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "cannot mount here"
. "$root/tests/cli/todo.sh"
mkdir "$T/disk"
mount -t tmpfs -o size=3m none "$T/disk"
export RALPH_HOME=$T/disk/home
# shellcheck disable=SC2034 # for todo.sh
journal=$RALPH_HOME/loops/$name/journal.jsonl

fill() {
	head -c 10M /dev/zero >"$T/disk/fill" 2>/dev/null
	for ((i = 0; i < 40; i++)); do head -c 4096 /dev/zero >"$T/disk/fill.$i" 2>/dev/null; done
}
free_disk() { rm -f "$T"/disk/fill*; }
status_says() { "$RALPH" status "$1" | grep -qE "$2"; }

project '- [ ] T001: One' '- [ ] T002: Two' '- [ ] T003: Three'
worker <<'END'
case $TASK.$KIND in
T001.task) echo 1 >one.txt; touch "$T/begun"; while ! test -e "$T/go1"; do sleep 0.05; done; ralph done --summary 'one' ;;
T002.task) echo 2 >two.txt; ralph done --summary 'two' ;;
T003.task) echo 3 >three.txt; touch "$T/last"; while ! test -e "$T/go3"; do sleep 0.05; done; ralph done --summary 'three' ;;
esac
END
export T
todo_bg --on-alert "cat >>$T/alerts"
job=$bg
wait_for 30 test -e "$T/begun"
fill
touch "$T/go1"
wait_for 60 status_says project-todo '^Status: running \(waiting for disk space: .*No space left on device\)'
like "$("$RALPH" ls | tail -n 1)" 'running \(waiting for disk space\)' "ls says what it waits for"
unlike "$(texts)" 'task T002' "no task is given out that cannot be written down"
free_disk
wait_for 90 test -e "$T/last"
unlike "$(facts 'select(.kind == "landed" and .verdict != "done") | .task')" . "no task has lost an attempt"
ok "status says nothing of it any more" status_says project-todo '^Status: running$'

touch "$T/go3"
end_bg 60 "$job"
is "$status" 0 "the run ends well"
like "$out" 'All tasks complete!' "with all tasks"
is "$(texts | grep -c task)" 3 "each was given out once"
is "$(commits | paste -sd,)" "T003: three,T002: two,T001: one" "and committed once"
like "$(jq -r .text "$T/alerts")" 'waiting for disk space' "somebody was told"

# The project's own disk is full when the run ends.
mkdir "$T/own"
mount -t tmpfs -o size=1m none "$T/own"
git init -q "$T/own/project"
cd "$T/own/project" || exit 1
printf 'ai/\n' >.gitignore
git add .gitignore
git commit -qm first
list '- [ ] T004: Four'
worker <<'END'
case $TASK.$KIND in
T004.task) ralph done --summary 'four' ;;
esac
END
cat >"$T/fill" <<END
head -c 2M /dev/zero >$T/own/fill
for i in \$(seq 99); do head -c 4096 /dev/zero >$T/own/fill.\$i; done
touch $T/full
exit 0
END
todo_bg --name own --commit off --verify "sh $T/fill 2>/dev/null"
job=$bg
wait_for 30 test -e "$T/full"
wait_for 60 status_says own 'waiting for disk space'
is "$(marks)" "  T004" "the list is as it was"
rm -f "$T"/own/fill*
end_bg 90 "$job"
is "$status" 0 "the run ends well"
is "$(marks)" "x T004" "its box is ticked when that can be written"
is "$(jq -r .status ai/ralph/state.json)" complete "and state.json says how it ended"
is "$(texts | grep -c 'task T004')" 1 "nothing was done twice"
cd /
no_leftovers "nothing goes on"
umount "$T/disk" "$T/own"
done_testing

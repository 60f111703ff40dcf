#!/usr/bin/env bash
# The disk of the state home is full under `ralph run`: status and ls say what the loop waits for, and it goes on when
# there is space.
. "$(dirname "$0")/../cli/lib.sh"
may_mount "$@"
[[ $IN_NAMESPACE == yes ]] || skip_all "cannot mount here"
mkdir "$RALPH_HOME"
mount -t tmpfs -o size=2m,mode=0700 none "$RALPH_HOME"
echo 'do it' >prompt
cat >fill <<END
#!/bin/sh
echo x >>$PWD/starts
[ -e $PWD/filled ] && exit 0
head -c 10M /dev/zero >$RALPH_HOME/fill
for i in \$(seq 99); do head -c 4096 /dev/zero >$RALPH_HOME/fill.\$i; done
touch $PWD/filled
END
chmod +x fill
status_says() { "$RALPH" status agent 2>/dev/null | grep -qE "$1"; }
run_bg "${loop[@]}" agent --max-iterations 60 -- ./fill
wait_for 60 status_says '^Status: running \(waiting for (disk space|the disk): .*No space left on device' && pass "status says what it waits for"
like "$("$RALPH" ls | tail -n 1)" 'waiting for (disk space|the disk)' "ls does, too"
is "$(jq -r '.waiting != null' <<<"$("$RALPH" status --json agent)")" true "and --json"
rm -f "$RALPH_HOME"/fill*
end_bg 120 "$bg"
exit_is 0 "it goes on when there is space"
is "$(wc -l <starts)" 60 "each iteration had one agent"
cd /
no_leftovers "nothing goes on"
umount "$RALPH_HOME"
done_testing

#!/usr/bin/env bash
# What an agent writes for the terminal around its window (clipboard, title, notifications) reaches the terminal
# of whoever attaches by option only; what nobody can see never does.  The recording has it all.
. "$(dirname "$0")/../cli/lib.sh"

printf 'do it\n' >prompt
tag=$'\U000E0001\U000E0061\U000E007F'
cat >say.sh <<'SCRIPT'
printf '\033]0;own-title\a\033]2;own-title\033\\\033]52;c;b3duLWNsaXA=\a\033]9;own-notice\033\\\033]777;notify;own-notice\a'
printf '\033]52;c;'
head -c 20000 /dev/zero | tr '\0' A
printf '\a\033_own-apc\033\\\033^own-pm\033\\\033Xown-sos\033\\\2359;own-byte\234'
printf '\033]8;;http://own-link\033\\link\033]8;;\033\\ \033[32mgreen\033[0m seen%s.\r\n' "$1"
SCRIPT
# The agent says it again for every file: before the first viewer comes, and to each of them.
agent="sh sh say.sh '$tag'; touch said.0"
for n in 1 2 3; do agent+="; wait-file go.$n; sh sh say.sh '$tag'; println round $n; wait-file over.$n"; done
run_bg "${loop[@]}" agent --pty --prompt-via arg --inactivity-timeout 1000 --max-iterations 1 -- "$AGENT" -e "$agent; hang"
wait_for 20 test -e said.0

# N OPTION...: what reaches a terminal from the moment that an attach begins, in raw.N
attach() {
	local n=$1 pid
	shift
	script -qfc "$(printf '%q ' "$RALPH" attach "$@" agent)" "raw.$n" </dev/null >/dev/null 2>&1 &
	pid=$!
	wait_for 20 said "raw.$n" 'green'
	touch "go.$n"
	wait_for 20 said "raw.$n" "round $n"
	touch "over.$n"
	kill "$pid"
	wait "$pid" 2>/dev/null
}
has() { # N TEXT
	grep -qaF -e "$2" "raw.$1"
}

attach 1
not_ok "no title comes through, old or new" has 1 own-title
not_ok "nor does the clipboard" has 1 b3duLWNsaXA=
not_ok "nor a long one" has 1 AAAAAAAA
not_ok "nor a notification" has 1 own-notice
not_ok "nor a string for somebody else: APC" has 1 own-apc
not_ok "PM" has 1 own-pm
not_ok "SOS" has 1 own-sos
ok "what follows a control of one byte is text" has 1 '9;own-byte'
not_ok "since that byte is gone" has 1 $'\x9d'
not_ok "nor what nobody sees" has 1 $'\xf3\xa0'
ok "a link does" has 1 http://own-link
ok "as do colours and text" has 1 $'green\033'
attach 2 --clipboard
ok "--clipboard lets the clipboard through" has 2 $'\033]52;c;b3duLWNsaXA=\a'
ok "also a long one" has 2 $'\033]52;c;AAAAAAAA'
not_ok "but no title" has 2 own-title
not_ok "and no notification" has 2 own-notice
attach 3 --title --notify
ok "--title lets titles through" has 3 $'\033]2;own-title\033\\'
ok "--notify notifications" has 3 $'\033]9;own-notice\033\\'
not_ok "but not the clipboard" has 3 b3duLWNsaXA=
not_ok "and still nothing that nobody sees" has 3 $'\xf3\xa0'
ok "the recording has the bytes as they came" grep -rqaF -e '52;c;b3duLWNsaXA=' "$RALPH_HOME/loops/agent/sessions"
ok "all of them" grep -rqaF -e $'seen\xf3\xa0' "$RALPH_HOME/loops/agent/sessions"
run "$RALPH" stop agent
end_bg 20 "$bg"
run "$RALPH" logs agent
like "$out" 'green seen\.' "logs has the text"
unlike "$out" $'\xf3\xa0' "without what nobody sees"

# A window in tmux is a viewer like any other: its title stays what it was.
run "$SWARM" spawn --name pane --tmux -- "$AGENT" -e 'sh sh say.sh; println shown; hang'
exit_is 0 "a worker has a window"
pane_says() {
	tmux capture-pane -p -t swarm:pane 2>/dev/null | grep -q shown
}
wait_for 20 pane_says
is "$(tmux display-message -p -t swarm:pane '#{pane_title}' | grep -c own-title)" 0 "whose title the agent does not set"
run "$SWARM" kill pane
no_leftovers "nothing goes on"
done_testing

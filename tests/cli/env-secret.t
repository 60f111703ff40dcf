#!/usr/bin/env bash
# A variable's value is in no process's arguments: --env K takes it from here, --env-file F from a file, and
# what --env K=V says is blanked.
. "$(dirname "$0")/../cli/lib.sh"

# Processes of the whole machine whose arguments have the word; the brackets keep grep itself out.
shown() {
	grep -laE "${1:0:-1}[${1: -1}]" /proc/[0-9]*/cmdline 2>/dev/null | wc -l
}

hang='env TOKEN tok; env OTHER other; env LAST last; hang'
word=word$$x$RANDOM
printf 'do it\n' >prompt
printf '# mine\n\n  \t\n  # more\r\nTOKEN=%s\r\nOTHER= a "b" #c = d \nLAST=file\n' "$word" >vars

# The test's own shell has the word in no argument.
is "$(shown "$word")" 0 "nobody shows the word before"
run "${loop[@]}" file --max-iterations 2 --detach --env-file vars --env LAST=given -- "$AGENT" -e "$hang"
exit_is 0 "a loop is started with a file of variables"
wait_for 20 test -s last
is "$(cat tok)" "$word" "the agent has what the file says, without the end of the line"
is "$(cat other)" ' a "b" #c = d ' "a value is as it stands"
is "$(cat last)" given "--env goes before the file"
is "$(shown "$word")" 0 "no process's arguments show it"
ok "nobody else can read where it is kept" test -z "$(find "$RALPH_HOME" -perm /077 ! -type l -path '*loops*')"
rm vars last
crash "$(supervisor_of file)" "$(keeper_of file)"
run "$RALPH" resume file
exit_is 0 "the loop is resumed when the file is gone"
wait_for 20 test -s last
is "$(cat tok) $(shown "$word")" "$word 0" "with its values, which still nobody shows"
run "$RALPH" stop file

rm -f tok last
export TOKEN=$word
run "${loop[@]}" here --max-iterations 1 --detach --env TOKEN --env LAST= -- "$AGENT" -e "$hang"
exit_is 0 "--env K is taken"
is "$(jq -c '.. | .env? // empty' "$RALPH_HOME/loops/here/spec.json")" "[\"TOKEN=$word\",\"LAST=\"]" "with the value it has here"
is "$(shown "$word")" 0 "which no process's arguments show"
run "$RALPH" stop here
unset TOKEN

rm -f tok last
run_bg "${loop[@]}" typed --max-iterations 1 --env "TOKEN=$word" "--env=OTHER=$word" --env LAST=x -- "$AGENT" -e "$hang"
wait_for 20 test -s last
is "$(cat tok) $(cat other)" "$word $word" "a value that was typed reaches the agent"
is "$(shown "$word")" 0 "and is blanked where it was typed"
like "$(tr '\0' ' ' <"/proc/$(supervisor_of typed)/cmdline")" 'run .*--env TOKEN=\*+ --env=OTHER=\*+ --env LAST=\* -- ' \
	"the rest of the line stays for whoever runs ps"
run "$RALPH" stop typed
end_bg 20 "$bg"
run "$SWARM" spawn --name job --env "TOKEN=$word" --env LAST=x -- "$AGENT" -e 'env TOKEN job; hang'
exit_is 0 "a worker of swarm is started"
wait_for 20 test -s job
is "$(cat job) $(shown "$word")" "$word 0" "with a value that nobody shows"
run "$SWARM" kill job

refused() { # SENTENCE NAME OPTION...
	local sentence=$1 title=$2
	shift 2
	run "${loop[@]}" no --max-iterations 1 "$@" -- "$AGENT" -e 'println x'
	is "$status $err" "2 ralph: error: $sentence" "$title"
}
refused "--env 'NO_SUCH': there is no such variable here (K=V gives one a value)" "a variable that is not set is said" --env NO_SUCH
refused "--env '': there is no such variable here (K=V gives one a value)" "as is no name" --env ''
refused "invalid env format '=x' (expected KEY=VAL)" "and a value without one" --env '=x'
refused "--env-file: cannot open nowhere: No such file or directory" "a file that is not there is said" --env-file nowhere
mkfifo pipe
refused "--env-file: pipe is not a regular file" "nobody waits for a pipe" --env-file pipe
bad() { # NUMBER WHY TEXT
	printf '%b' "$3" >vars
	refused "--env-file: vars: line $1 $2" "a line that $2 is named: ${3@Q}" --env-file vars
	unlike "$err" "$word" "and is not repeated"
}
form="is not K=V (K of letters, digits and '_'), empty or a # comment"
bad 2 "$form" "A=1\n$word\n"
bad 1 "$form" "=$word"
bad 3 "$form" "\n\nexport A=$word\n"
bad 1 "$form" "1A=$word\n"
bad 1 "$form" "A =$word\n"
bad 1 "has a control character" "A=$word\\x00$word\n"
bad 1 "has a control character" "A=$word\\x1b[2J\n"
bad 2 "is not UTF-8" "A=1\nB=$word\\xff\n"
head -c 1100000 /dev/zero | tr '\0' '#' >vars
refused "--env-file: vars is larger than 1048576 bytes" "a file that is too large is refused" --env-file vars
not_ok "none of them left a loop" test -e "$RALPH_HOME/loops/no"
no_leftovers "nothing goes on"
done_testing

# todo.sh - for the tests of `ralph todo`: a project with a list, and a worker that is led.
# shellcheck shell=bash
#
#	project [LINE...]   makes the repository "project" with these lines in ai/todo.md (which
#	                    git ignores, as it does ai/ralph) and goes there
#	list LINE...        writes ai/todo.md: "# Tasks", "## Claude Tasks" and these lines
#	worker <<'END'      what the worker does for every text it gets (tests/agent/led.c): sh, with
#	                    $KIND, $TASK, $N and $TURN, `ralph` (done, stuck and blocked with the
#	                    turn's token, as the prompt has them; `command ralph` says them bare), and
#	                      tag TEXT       prints <promise>TEXT</promise>, alone on its line
#	                      file [ID]      writes a done file of the task
#	                      done_by_tag    both
#	                      once NAME      true the first time
#	"${lead[@]}"        the worker's command
#	todo ARG...         run ralph todo ARG... with the worker
#	todo_bg ARG...      the same, in the background
#	texts               prints what the worker was given, "KIND TASK" a line
#	token TASK          prints the token that stands in the task's prompt
#	gets KIND TASK [N]  it was given that, N times, for wait_for and ok
#	facts JQ            prints what jq finds in the facts of the loop
#	marks               prints the list's boxes, "x T001" a line
#	commits             prints the subjects of the commits, the last first, but not the first

# shellcheck disable=SC2034
name=project-todo
led=$T/led
journal=$RALPH_HOME/loops/$name/journal.jsonl
mkdir -p "$led" "$T/bin"
ln -sf "$RALPH" "$T/bin/ralph"
export PATH="$T/bin:$PATH"
lead=("$AGENT" -e "led $led")

list() {
	mkdir -p ai
	{
		printf '# Tasks\n\n## Claude Tasks\n'
		printf '%s\n' "$@"
	} >ai/todo.md
}

project() {
	mkdir project && cd project || exit 1
	git init -q .
	printf 'ai/\n' >.gitignore
	echo one >README.md
	git add .gitignore README.md
	git commit -qm first
	list "$@"
}

worker() {
	{
		cat <<-'END'
			tag() { printf '\n<promise>%s</promise>\n' "$1"; }
			file() {
				mkdir -p ai/ralph/results
				printf '{"task_id":"%s","completed_at":"2026-01-27T10:15:00","status":"done","summary":"did %s","files_modified":[]}\n' \
					"${1:-$TASK}" "${1:-$TASK}" >"$LED/file~" && mv "$LED/file~" "ai/ralph/results/${2:-$TASK}.done.json"
			}
			done_by_tag() { file && tag DONE; }
			once() { mkdir "$LED/once.$1" 2>/dev/null; }
			ralph() {
				case $1 in
				done | stuck | blocked)
					word=$1 && shift
					set -- "$word" ${TURN:+--turn "$TURN"} "$@"
					;;
				esac
				command ralph "$@"
			}
		END
		cat
	} >"$led/script~"
	mv "$led/script~" "$led/script"
}

todo() {
	run "$RALPH" todo "$@" -- "${lead[@]}"
}

todo_bg() {
	run_bg "$RALPH" todo "$@" -- "${lead[@]}"
}

texts() {
	cut -d ' ' -f 1,2 "$led/log" 2>/dev/null
}

token() {
	grep -o 'ralph done --turn [a-z0-9]*' "$led/$1.1.task" | cut -d ' ' -f 4
}

gets() {
	(($(texts | grep -cxF "$1 $2") >= ${3:-1}))
}

facts() {
	jq -r ".facts[] | $1" "$journal" 2>/dev/null
}

marks() {
	sed -nE 's/^- \[(.)\] (T[0-9]+).*/\1 \2/p' ai/todo.md
}

commits() {
	git log --format=%s | head -n -1
}

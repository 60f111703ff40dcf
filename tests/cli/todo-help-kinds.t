#!/usr/bin/env bash
# Help by the kind of the question, as it is pasted back: patterns, errors, dependencies, endpoints,
# files, scope.  What ralph itself has written down, the question above all, is no answer.
# shellcheck disable=SC2016 # nothing here is for the shell
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/todo.sh"
project '- [ ] T001: Validate names' '- [ ] T002: Repair the build' '- [ ] T003: Use lodash' \
	'- [ ] T004: Create sessions' '- [ ] T005: Find the parser' '- [ ] T006: Say hello'
# All of it is in git, as with whoever tracks ai/.
mkdir -p src api ai/ralph/results ai/logs
printf 'build/\n' >.gitignore
printf 'Validation helpers return a Result.\n' >CONTRIBUTING.md
printf 'int validation(int x)\n{\n\treturn x > 0;\n}\n' >src/valid.c
printf 'one\ntwo\nthree\nboom(4);\nfive\n' >src/check.c
printf 'int parser(void);\n' >src/parser.h
printf '{"dependencies": {\n  "lodash": "^4.17",\n  "react": "^18"\n}}\n' >package.json
printf 'app.get("/users/:id", show)\napp.post("/sessions", create)\n' >api/routes.js
printf '# Session: x\n\n**Reason:** validation pattern, lodash dependency, parser file, sessions endpoint\n' >ai/ralph/activity.md
printf '{"summary": "validation pattern lodash parser sessions app.post(\\"/sessions\\")"}\n' >ai/ralph/results/T000.done.json
printf 'validation pattern lodash parser sessions\n' >ai/logs/pc-automation.log
printf '{"version": 1, "tasks": {"T009": {"worklog": "validation pattern lodash parser"}}}\n' >ai/task-meta.json
git add -A && git commit -qm all
worker <<'END'
case $TASK.$KIND in
T001.task) ralph stuck 'Which pattern do we have for validation helpers?' ;;
T002.task) echo 'src/check.c:4: error: boom is not declared' && ralph stuck 'The build fails, why?' ;;
T003.task) ralph stuck 'Is lodash a dependency already?' ;;
T004.task) ralph stuck 'Which endpoint creates sessions?' ;;
T005.task) ralph stuck 'Which file has the parser?' ;;
T006.task) ralph stuck 'Should I also say goodbye?' ;;
*.help) ralph done ;;
esac
END
todo
exit_is 0 "all were helped"
is "$(texts | grep -c '^help')" 6 "each once"
pasted() { cat "$led/T00$1.2.help"; }
like "$(pasted 1)" '> Which pattern .*CONTRIBUTING\.md:1: Validation helpers return a Result\..*src/valid\.c:1: int validation.*Do it as the places above do' \
	"patterns: documents and code"
like "$(pasted 2)" '> The build fails.*The screen when you asked:.*\| src/check\.c:4: error: boom is not declared.*> src/check\.c:4: boom\(4\);.*the place in src/check\.c' \
	"errors: the screen, and the place it names"
like "$(pasted 3)" 'package\.json:.*- 2: *"lodash": "\^4\.17",.*It is declared already' "dependencies: the manifests"
like "$(pasted 4)" 'Routes:.*- api/routes\.js:2: app\.post\("/sessions", create\)' "endpoints: the routes"
like "$(pasted 5)" 'best first:.- src/parser\.h' "files: their names"
like "$(pasted 6)" 'The task as it stands in the list:.> Say hello.*In scope is' "scope: the task's own words"
is "$(grep -lE 'ai/(ralph|logs|task-meta)|T000|T009' "$led"/*.help)" "" "our own files are quoted nowhere"
no_leftovers "nothing goes on"
done_testing

#!/usr/bin/env bash
# A task that promises output is not complete without it.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/graph.sh"
plan 14
repo
graph 'nodes:
- {id: a, output: "out/a.md, out/dir"}
- {id: b, output: missing.txt}'
g prompt a
g complete a
exit_is 1 "without its output a task is not complete"
is "$(grep -c 'the output is missing' <<<"$err")" 2 "what is missing is told"
is "$(now a)" in-progress "it stays in progress"
mkdir -p out/dir
head -c 600 /dev/zero | tr '\0' x >out/a.md
g complete a
exit_is 1 "an empty directory is no output"
touch out/dir/x
git add -A
git commit -qm out
echo more >>out/a.md
g complete a
exit_is 0 "with its output it is"
like "$err" 'out/a.md is not committed' "what is not committed is warned about"
unlike "$err" 'bytes' "and nothing else"
g prompt b
g complete b --force
exit_is 0 "--force does without"
is "$(jq -r .event logs/task-audit.jsonl | tr '\n' ' ')" \
	"claimed complete-blocked complete-blocked completed claimed force-completed " "all of it is in the audit log"
echo x >missing.txt
g reset b
exit_is 0 "one that is complete can be reset"
g prompt b
g complete b
like "$err" 'missing.txt has only 2 bytes' "very short output is warned about"
g complete zz
exit_is 1 "an unknown id"
g complete
exit_is 2 "no id"
is "$(now b)" complete "the rest stays"

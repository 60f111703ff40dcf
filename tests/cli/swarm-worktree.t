#!/usr/bin/env bash
# Worktrees for workers: made, used, protected, removed from any directory (W17), rolled back.
. "$(dirname "$0")/../cli/lib.sh"

run "$SWARM" spawn --name w --worktree -- "$AGENT" -e 'hang'
exit_is 1 "outside a repository there are none"
is "$err" "swarm: error: not in a git repository (required for --worktree)" "it says so"
git init -q repo && cd repo && echo one >file && git add file && git commit -qm one
trees=$(dirname "$PWD")/repo-worktrees

run "$SWARM" spawn --name w --worktree -- "$AGENT" -e 'sh git branch --show-current >branch; sh rm branch; touch ../made; wait-file ../go'
exit_is 0 "a worker with a worktree"
wait_for 20 test -e "$trees/made"
is "$(git -C "$trees/w" branch --show-current)" w "on a branch of its name"
is "$(jq -c '.workers[0] | [.cwd, .worktree]' "$RALPH_HOME/state.json")" \
	"[\"$trees/w\",{\"path\":\"$trees/w\",\"branch\":\"w\",\"base_repo\":\"$PWD\"}]" "the registry says where"
run "$SWARM" spawn --name b --worktree --branch topic --worktree-dir elsewhere -- "$AGENT" -e 'hang'
is "$(git -C ../elsewhere/b branch --show-current)" topic "the branch and the place can be chosen"

# Dirty work is protected; from any directory.
echo change >"$trees/w/new"
cd /
run "$SWARM" kill w --rm-worktree
exit_is 0 "kill --rm-worktree of a dirty worktree kills"
is "$out" "killed w" "it says so"
is "$err" "swarm: warning: cannot remove worktree for 'w': worktree has 1 uncommitted change(s)
swarm: use --force-dirty to remove anyway" "and what it did not do"
ok "the work is there" test -e "$trees/w/new"
run "$SWARM" clean w
exit_is 0 "so does clean"
is "$err" "swarm: warning: preserving worktree for 'w': worktree has 1 uncommitted change(s)
swarm: worktree at: $trees/w
swarm: use --force-dirty to remove anyway" "it says where it is"
ok "the work is still there" test -e "$trees/w/new"
run "$SWARM" kill b --rm-worktree
is "$out$err" "killed b" "a clean one is removed without words"
not_ok "and is gone" test -e "$T/work/elsewhere/b"
is "$(git -C "$T/work/repo" branch --list topic)" "" "as is its branch, which had nothing"

# A worktree that is there is used again; work that is committed stays on its branch.
cd "$T/work/repo" || exit 1
run "$SWARM" spawn --name w --worktree -- "$AGENT" -e 'hang'
exit_is 0 "a worktree that is there is used again"
ok "with what is in it" test -e "$trees/w/new"
git -C "$trees/w" add new && git -C "$trees/w" commit -qm work
run "$SWARM" kill w --rm-worktree
is "$out$err" "killed w" "committed work may go"
not_ok "from the disk" test -e "$trees/w"
is "$(git log -1 --format=%s w)" work "and is kept on its branch"

# respawn makes it again; --clean-first is refused when something would be lost.
run "$SWARM" respawn w
like "$out" '^respawned w ' "respawn makes a worktree that is gone again"
ok "with its branch" test -e "$trees/w/new"
echo more >>"$trees/w/new"
run "$SWARM" respawn --clean-first w
exit_is 1 "--clean-first does not throw work away"
is "$err" "swarm: error: cannot remove worktree: worktree has 1 uncommitted change(s)
swarm: worktree at: $trees/w
swarm: use --force-dirty to remove anyway, or commit changes first" "it says so"
run "$SWARM" status w
exit_is 0 "and the worker still runs"
run "$SWARM" respawn --clean-first --force-dirty w
exit_is 0 "unless it is told to"
is "$(git -C "$trees/w" status --porcelain)" "" "then it is as committed"
run "$SWARM" kill w --rm-worktree --force-dirty

# A spawn that fails takes its worktree back, and only its own.
run "$SWARM" spawn --name f --worktree -- ./no-such-program
exit_is 1 "a command that is not there"
not_ok "leaves no worktree" test -e "$trees/f"
is "$(git branch --list f)" "" "and no branch"
git worktree add -q -b mine ../repo-worktrees/m
run "$SWARM" spawn --name m --worktree --branch mine -- ./no-such-program
ok "one that was there before stays" test -d "$trees/m"

# Worktree mode is compatible with ralph mode: one worktree for all iterations.
echo 'do it' >PROMPT.md
run "$SWARM" spawn --name r --ralph --worktree --prompt-file PROMPT.md --max-iterations 2 -- "$AGENT" -e 'count starts'
exit_is 0 "a loop with a worktree"
is "$(wc -l <"$trees/r/starts")" 2 "all iterations are in it"
no_leftovers "nothing goes on"
done_testing

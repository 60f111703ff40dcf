#!/usr/bin/env bash
# Git in our hands is not let into submodules with what an agent configured there; their work is seen all the same.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/tickets.sh"
new_project
export marker=$T/marker T
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=protocol.file.allow GIT_CONFIG_VALUE_0=always
git init -q "$T/lib"
echo l >"$T/lib/l" && git -C "$T/lib" add l && git -C "$T/lib" commit -qm l
git submodule --quiet add "$T/lib" lib
git commit -qm lib

# Makes the commands of the repository in the given directory ours to fear.  Its own git must not run them first.
cat >"$T/plant" <<'END'
plant() {
	local dir
	dir=$(git -C "$1" rev-parse --absolute-git-dir)
	mkdir -p "$dir/info"
	echo '* filter=evil' >"$dir/info/attributes"
	git config --file "$dir/config" filter.evil.clean "sh -c 'echo $1 >>$marker; cat'"
	git config --file "$dir/config" filter.evil.smudge "sh -c 'echo $1 >>$marker; cat'"
	git config --file "$dir/config" core.fsmonitor "sh -c 'echo $1 >>$marker'"
	printf '#!/bin/sh\necho hook >>%s\n' "$marker" >"$dir/hooks/post-checkout" && chmod +x "$dir/hooks/post-checkout"
	touch -d 2001-02-03 "$1"/*
}
END

# Settings that nothing uses.
ticket t-0
does t-0 '. "$T/plant"; work; close_ticket; git submodule --quiet update --init; plant lib; rm "$(git -C lib rev-parse --git-dir)/info/attributes"
	git config submodule.recurse true; echo left >left.txt'
work_on
exit_is 0 "commands that an agent configures in a submodule are in nobody's way"
ok "the work is there" has main out/t-0
ok "what was left uncommitted, too" has main left.txt
like "$err" 'without effect until .ralph trust.: .*in .*lib.* git filter\.evil\.clean' "they are said"
not_ok "and none of them has run" test -e "$marker"

git config --unset submodule.recurse

# In a worktree: the submodule's directory is within .git/worktrees.
ticket t-1
does t-1 '. "$T/plant"; work; close_ticket; git submodule --quiet update --init; plant lib'
work_on
not_ok "a filter that an agent planted in a submodule does not run" test -e "$marker"
like "$err" "the submodule 'lib' in .* has work of its own" "whether there is work in it cannot be told, so there may be"
ok "and the ticket's stays where it is" grep -qs 'work of t-1' .tf/ralph/worktrees/t-1/out/t-1

# With work in it.
ticket t-2
does t-2 'work; close_ticket; git submodule --quiet update --init; echo mine >lib/mine; commit'
work_on --new-run
like "$err" "the submodule 'lib' in .*t-2 has work of its own" "work in a submodule is seen"
ok "and stays where it is" grep -rqs mine .tf/ralph/worktrees/t-2/lib/mine

# A repository that git has by a number alone, without a submodule's settings.
ticket t-3
does t-3 '. "$T/plant"; git init -q own; cd own || exit; echo o >o; git add o; git commit -qm o; cd ..; work; close_ticket
	git add -A 2>/dev/null; git commit -qm work; plant own; echo p >own/p'
work_on --new-run
not_ok "nor does one in a repository that it made" test -e "$marker"
ok "whose work is kept" grep -rqs . .tf/ralph/worktrees/t-3/own/p

no_leftovers "nothing goes on"
done_testing

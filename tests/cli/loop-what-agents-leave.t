#!/usr/bin/env bash
# What a successful agent leaves besides its commits: files git was told to overlook, files that git ignores, and
# nothing at all.
. "$(dirname "$0")/tickets.sh"

new_project
printf '*.log\n.env\nnode_modules/\nbuild/\n' >.gitignore
echo one >assumed && echo one >skipped
git add .gitignore assumed skipped && git commit -qm more
ticket pt-1
ticket pt-2
ticket pt-3
ticket pt-4
does pt-1 <<'SCRIPT'
git update-index --assume-unchanged assumed && echo by pt-1 >>assumed
git update-index --skip-worktree skipped && echo by pt-1 >>skipped
close_ticket
SCRIPT
does pt-2 <<'SCRIPT'
echo words >night.log
mkdir -p build/deep node_modules/a && echo object >build/deep/o
(umask 0; echo SECRET=2 >.env)
seq 1001 | (cd node_modules/a && xargs touch)
ln -s /etc/passwd link.log
work; close_ticket; commit
SCRIPT
does pt-3 'close_ticket() { :; }; promise'
does pt-4 'echo last words >died.log; work; exit 1'
work_on --parallel 1
sessions=("$RALPH_HOME"/loops/project-loop/sessions/*)
kept=$(find "${sessions[@]}" -path '*/ignored/*' -type f -printf '%P\n' | sed 's|^ignored/||' | sort | paste -sd ' ')

is "$(git show main:assumed)" $'one\nby pt-1' "a file that was marked as unchanged landed"
is "$(git show main:skipped)" $'one\nby pt-1' "one that was marked to be skipped as well"
is "$kept" ".env build/deep/o died.log night.log" "what git ignores is kept, also of the one that failed"
is "$(find "${sessions[@]}" -name .env -perm 600 | wc -l)" 1 "for its owner alone"
is "$(git rev-list --all --objects | grep -c 'night.log\|\.env\|died.log')" 0 "and not in git"
like "$err" 'ignored by git and kept: 3 files \(22 bytes\) in .*/ignored; not kept: 1001 files \(0 bytes\)' "it is said what is kept where, and what went"
ok "in progress.md, too" progress_says '^- Left: ignored by git and kept: 3 files'
like "$err" $'pt-3: COMPLETE[^\n]*\n[^\n]*\ndone without any change but that of its ticket' "who is done without any change is said to be"
ok "in progress.md as well" progress_says '^- Left: done without any change'

run "$RALPH" clean project-loop
not_ok "the copies go when the loop is cleaned" test -e "$RALPH_HOME/loops/project-loop"

# Sixty-four megabytes, the smallest first.
ticket pt-5
does pt-5 <<'SCRIPT'
head -c 40M /dev/zero >a.log; head -c 30M /dev/zero >b.log; head -c 1M /dev/zero >c.log
work; close_ticket; commit
SCRIPT
does pt-4 'work; close_ticket; commit'
work_on
like "$err" 'kept: 2 files \(32505856 bytes\) in .*; not kept: 1 file \(41943040 bytes\)' "of what is too much, the smaller ones are kept"
# A directory that git reports as a whole: only the one within that holds too much is left out.
echo '*.local' >>.gitignore && git add .gitignore && git commit -qm local
ticket pt-7
does pt-7 <<'SCRIPT'
mkdir -p packages/x/node_modules packages/x/build/deep/a packages/y/node_modules build/pieces build/words
echo A=1 >packages/x/.env.local
seq 1100 | (cd packages/x/node_modules && xargs touch)
echo object >packages/x/build/deep/o
# Too many together, and no directory by itself: theirs is the one that is left out.
for i in $(seq 300); do mkdir packages/y/node_modules/$i && touch packages/y/node_modules/$i/{a,b,c,d}; done
echo B=1 >packages/y/b.local
# The same below a directory that is itself ignored, and one file that is too big alone.
seq 1100 | (cd build/pieces && xargs touch)
echo words >build/words/w
truncate -s 65M build/words/image
work; close_ticket; commit
SCRIPT
work_on --name whole
kept=$(find "$RALPH_HOME"/loops/whole/sessions -path '*/ignored/*' -type f | sed 's|.*/ignored/||' | sort | paste -sd ' ')
is "$kept" "build/words/w packages/x/.env.local packages/x/build/deep/o packages/y/b.local" "what lies beside too much is kept"
like "$err" 'kept: 4 files \(21 bytes\) in .*; not kept: 3401 files \(68157440 bytes\)' "and what is left out is counted"
# In a sparse checkout, files that are not there are not gone.
mkdir -p far near && echo far >far/f && echo near >near/n && git add far near && git commit -qm far
git config extensions.worktreeConfig true
ticket pt-6
does pt-6 'git sparse-checkout set --no-cone "/*" "!/far/" >/dev/null 2>&1; test ! -e far/f && work && close_ticket && commit'
work_on
is "$(git show main:far/f) $(git show main:out/pt-6)" "far work of pt-6" "a sparse checkout lands what it has"
done_testing

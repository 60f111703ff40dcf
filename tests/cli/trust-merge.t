#!/usr/bin/env bash
# How conflicts are merged is a person's to say: an agent cannot have both sides taken, by a setting or by attributes beside the
# repository.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/tickets.sh"
new_project
export T
echo start >file && git add file && git commit -qm file

# Edits what the branch has edited, too.
cat >"$T/conflict" <<'END'
work; close_ticket; echo "$id" >file; commit
(cd "$T/work/project" && echo "not $id" >file && git commit -qm "not $id" file)
END
ticket t-1
does t-1 '. "$T/conflict"; git config merge.default union'
work_on
exit_is 11 "a conflict is one, whatever an agent says is the usual way to merge"
is "$(git show main:file)" "not t-1" "both sides are not taken"
like "$err" 'without effect until .ralph trust.: git merge\.default' "the setting is said"
git config --unset merge.default

ticket t-2
does t-2 '. "$T/conflict"; mkdir -p "$T/work/project/.git/info"; echo "* merge=union" >"$T/work/project/.git/info/attributes"'
work_on --new-run
exit_is 11 "nor by attributes beside the repository, which no setting undoes"
is "$(git show main:file)" "not t-2" "nothing is merged by them"
like "$err" "git is not run: info/attributes was changed while an agent worked.*ralph trust" "but refused"
ok "the work is kept" grep -qs t-2 .tf/ralph/worktrees/t-2/file
like "$("$RALPH" trust --list)" $'git info/attributes\n  - \\(none\\)\n  \\+ \\* merge=union' "ralph trust shows them"
rm .git/info/attributes

# Our own questions to git are not for agents to change, either.
ticket t-3
does t-1 :
does t-2 :
does t-3 'work; close_ticket; git config grep.patternType fixed; git config core.autocrlf input; printf "a\r\n" >crlf'
work_on --new-run
is "$(git show main:crlf | od -An -c | tr -d ' ')" 'a\r\n' "line ends land as they are"
no_leftovers "nothing goes on"
done_testing

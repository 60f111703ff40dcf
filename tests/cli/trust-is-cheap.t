#!/usr/bin/env bash
# What is trusted is known without asking git, as long as no file of its settings has changed.
. "$(dirname "$0")/tickets.sh"
new_project
real=$(command -v git)
ticket t-1
ticket t-2
commit_tickets
cat >"$T/bin/git" <<END
#!/bin/sh
case "\$*" in *--show-origin*) echo "\$*" >>"$T/asked" ;; esac
exec $real "\$@"
END
chmod +x "$T/bin/git"
# A file that was changed a moment ago is read again: another change might look the same.
settled() { [[ -z $(find .git/config .git/hooks .tf/ralph/config.json ~/.gitconfig -newerct '1 second ago') ]]; }
wait_for 20 settled
work_on
exit_is 0 "a loop over two tickets"
is "$(grep -c . "$T/asked")" 1 "asks once, when it sees the repository for the first time"
ticket t-3
work_on
exit_is 0 "and another loop"
is "$(grep -c . "$T/asked")" 1 "not at all"
git config gpg.program mine
ticket t-4
work_on
ok "but when something changed" test "$(grep -c . "$T/asked")" -gt 1
no_leftovers "nothing goes on"
done_testing

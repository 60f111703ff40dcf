#!/usr/bin/env bash
# A remote that an agent made, and that is a command, is not asked for objects that are missing.
# shellcheck disable=SC2016 # scripts, for others to expand
. "$(dirname "$0")/tickets.sh"
new_project
export marker=$T/marker T
printf '#!/bin/sh\ntr "\\0" " " </proc/$PPID/cmdline >>"%s"\nexit 1\n' "$marker" >"$T/evil"
chmod +x "$T/evil"
ticket t-1
ticket t-2
does t-1 <<'END'
work; close_ticket; commit
git config core.repositoryformatversion 1
git config extensions.partialClone evil
git config remote.evil.url "ext::$T/evil"
git config remote.evil.promisor true
git config protocol.ext.allow always
blob=$(git rev-parse HEAD:file)
rm -f "$(git rev-parse --git-common-dir)/objects/${blob:0:2}/${blob:2}" "$marker"
END
work_on
not_ok "our git does not run it" test -e "$marker"
no_leftovers "nothing goes on"
done_testing

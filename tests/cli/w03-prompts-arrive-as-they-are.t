#!/usr/bin/env bash
# W3: any prompt arrives as it is, at once, and an agent that exits early costs nothing.
. "$(dirname "$0")/../cli/seed.sh"

# shellcheck disable=SC2016 # nobody is to expand it
printf -- '---\ntitle: front matter\n---\n- a bullet; "quoted" $HOME `id` #{pane_id}\n\ttab\n' >PROMPT.md
: >claude.txt
run swarm spawn --name dashes --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- claude
is "$status $(cat prompt.1)" "0 $(cat PROMPT.md)" "a prompt that begins with dashes"
seq -f '- line %g of a long prompt that no command line of tmux would hold' 1 4000 >PROMPT.md
run swarm spawn --name long --ralph --prompt-file ./PROMPT.md --max-iterations 1 -- "$AGENT" -e 'read-stdin-to got'
ok "a prompt of $(wc -c <PROMPT.md) bytes" cmp got PROMPT.md
begin=${EPOCHREALTIME/./}
run swarm spawn --name instant --ralph --prompt-file ./PROMPT.md --max-iterations 3 -- true
exit_is 0 "an agent that exits at once"
ok "is not waited for" test $((${EPOCHREALTIME/./} - begin)) -lt 10000000
no_leftovers "nothing goes on"
done_testing

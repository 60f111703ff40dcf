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

# quickly NAME WHAT OPTION... -- CMD: nobody is waited for
quickly() {
	local begin=$EPOCHREALTIME name=$1 what=$2
	shift 2
	run swarm spawn --name "$name" --ralph --prompt-file ./PROMPT.md "$@"
	is "$status $(took_less 15 "$begin" && echo soon)" "0 soon" "$what"
}
quickly instant "an agent that exits at once is not waited for" --max-iterations 3 -- true
printf '#!/bin/sh\nprintf "> "\n' >"$T/bin/claude"
quickly early "nor is one that was to be typed to" --max-iterations 3 -- claude

# In raw mode, by a program that nobody knows: with brackets, and the Enter behind them.
seq -f '- line %g of a prompt, "quoted" and	tabbed' 1 5000 >PROMPT.md
cat >unknown.txt <<SCRIPT
raw
bracketed on
println what now?
read-stdin-to got $(($(wc -c <PROMPT.md) + 12))
SCRIPT
quickly unknown "one without a known pattern has its prompt in seconds" --prompt-via paste --max-iterations 1 -- "$AGENT" unknown.txt
ok "all $(wc -c <PROMPT.md) bytes of it" cmp <(tr '\r' '\n' <got) <(printf '\e[200~%s\e[201~\n' "$(cat PROMPT.md)")
no_leftovers "nothing goes on"
done_testing

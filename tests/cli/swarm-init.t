#!/usr/bin/env bash
# swarm init tells the agents of a project about swarm, once.
. "$(dirname "$0")/../cli/lib.sh"

run "$SWARM" init --dry-run
is "$status $out" "0 Would create AGENTS.md with swarm agent instructions" "a dry run says what it would do"
not_ok "and does nothing" test -e AGENTS.md
run "$SWARM" init
is "$status $out" "0 Created AGENTS.md" "neither file: AGENTS.md is made"
ok "with the section" grep -q '^## Process Management (swarm)$' AGENTS.md
is "$(stat -c %a AGENTS.md)" 644 "and the user's umask"
cp AGENTS.md section
run "$SWARM" init
is "$status $out" "0 swarm: AGENTS.md already contains swarm instructions" "twice is once"
ok "nothing changes" cmp AGENTS.md section

rm AGENTS.md
printf '# My project\n\nRules.\n\n\n' >CLAUDE.md
chmod 640 CLAUDE.md
run "$SWARM" init --dry-run
is "$out" "Would append swarm instructions to CLAUDE.md" "CLAUDE.md alone is taken"
run "$SWARM" init
is "$status $out" "0 Added swarm instructions to CLAUDE.md" "the section is added"
is "$(cat CLAUDE.md)" "# My project

Rules.

$(cat section)" "after a blank line"
is "$(stat -c %a CLAUDE.md)" 640 "the mode stays"
not_ok "and nothing else is made" test -e AGENTS.md
echo '# Agents' >AGENTS.md
run "$SWARM" init
is "$out" "swarm: CLAUDE.md already contains swarm instructions" "either file will do"
run "$SWARM" init --file AGENTS.md
is "$status $out" "0 Added swarm instructions to AGENTS.md" "unless one is chosen"

cat >AGENTS.md <<'END'
# Agents

## Process Management (swarm)

old words

### with a part

## Other rules

stay
END
run "$SWARM" init --force --file AGENTS.md
is "$status $out" "0 Updated swarm instructions in AGENTS.md" "--force replaces the section"
is "$(cat AGENTS.md)" "# Agents

$(cat section)

## Other rules

stay" "and nothing else"
run "$SWARM" init --force --dry-run --file AGENTS.md
is "$out" "Would update swarm instructions in AGENTS.md" "which can be tried, too"
cp AGENTS.md before
run "$SWARM" init --force --file AGENTS.md
ok "replacing it again changes nothing" cmp AGENTS.md before

rm AGENTS.md CLAUDE.md
mkdir docs
echo '# Linked' >docs/agents.md
ln -s docs/agents.md AGENTS.md
run "$SWARM" init
exit_is 0 "a link"
ok "stays one" test -L AGENTS.md
ok "and the file behind it is changed" grep -q swarm docs/agents.md
run "$SWARM" init --file README.md
exit_is 2 "another file is a usage error"
like "$err" "invalid choice: 'README.md'" "in the original's words"
rm AGENTS.md
mkdir AGENTS.md
run "$SWARM" init
exit_is 1 "what cannot be written is an error"
like "$err" '^swarm: error: .*AGENTS.md' "that says so"
done_testing

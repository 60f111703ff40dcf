# lib.sh - what a test with the real Claude Code starts with, on top of tests/cli/lib.sh.
# shellcheck shell=bash
#
#	#!/usr/bin/env bash
#	. "$(dirname "$0")/lib.sh"
#	model '[{"text": "All tasks complete"}]'
#
# The program comes from npm, once, into build/agents; where that cannot be the test is
# skipped and says why.  Its HOME is as empty as the test's, but for the answers to its first
# questions.  It talks to a scripted model (model.js) and, where the machine allows it, lives in
# a network with nothing else: no key, no account and no byte to anywhere.
#
#	claude                      is on the PATH
#	model STEPS                 starts the model; STEPS is JSON, see model.js
#	model_end                   ends it, for no_leftovers
#	asked                       prints how many requests of main loops there were
#	asked_times N               whether there were so many, for wait_for
#	prompt_of STEP              prints the conversation's first text that the request for
#	                            that step (0, 1, ...) had, byte for byte
#	told STEP TEXT              whether that request has the text anywhere in its conversation
#	trust DIR                   claude works in DIR without asking; the test's directory it has
#	outline TEXT                prints it without exit codes and durations

claude_version=2.1.197
agents_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
agents_cache=$(cd "$agents_dir/../.." && pwd)/build/agents

# Prints the path of the program; fails when npm cannot get it.
claude_path() {
	local programs=("$agents_cache/claude-$claude_version"/node_modules/@anthropic-ai/claude-code-linux-*/claude)
	[[ -x ${programs[0]} ]] && echo "${programs[0]}"
}

# Into a directory of its own first: half an installation is never found.
claude_install() {
	local dir
	mkdir -p "$agents_cache"
	exec 9>"$agents_cache/.lock"
	flock 9
	if ! claude_path >/dev/null; then
		dir=$(mktemp -d "$agents_cache/.new.XXXXXX")
		timeout -k 5 300 npm install --prefix "$dir" --ignore-scripts --no-audit --no-fund \
			"@anthropic-ai/claude-code@$claude_version" >"$agents_cache/npm.log" 2>&1 &&
			rm -rf "$agents_cache/claude-$claude_version" &&
			mv "$dir" "$agents_cache/claude-$claude_version"
		rm -rf "$dir"
	fi
	exec 9>&-
	claude_path >/dev/null
}

# Becomes this test again in a network that has only itself.
alone() {
	local enter=(unshare -n) up='ip link set lo up || ifconfig lo up'
	[[ $EUID -eq 0 ]] || enter=(unshare -r -n)
	if "${enter[@]}" sh -c "$up" >/dev/null 2>&1; then
		AGENTS_ALONE=1 exec "${enter[@]}" sh -c "{ $up; } 2>/dev/null; exec bash \"\$0\"" "$(realpath "$0")"
	fi
	echo '# no network of its own: unshare -n does not work here'
}

skip_early() {
	echo "1..0 # SKIP $*"
	exit 0
}

# What needs the caller's environment: the clean one of the tests has no npm settings.
if [[ -z ${RALPH_TEST:-} && -z ${AGENTS_ALONE:-} ]]; then
	type -P npm >/dev/null || claude_path >/dev/null || skip_early "npm is not installed"
	type -P node >/dev/null || skip_early "node is not installed"
	claude_install || skip_early "npm cannot install Claude Code $claude_version: $(tail -n 1 "$agents_cache/npm.log")"
	alone
fi

# shellcheck source=tests/cli/lib.sh
. "$agents_dir/../cli/lib.sh"

export ANTHROPIC_API_KEY=sk-ant-scripted-model-000000000000
export IS_SANDBOX=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 CLAUDE_CODE_MAX_RETRIES=0
export DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1
PATH=$(dirname "$(claude_path)"):$PATH
model_log=$T/model.log

trust() {
	local file=$HOME/.claude.json
	jq --arg dir "$1" --arg key "${ANTHROPIC_API_KEY: -20}" --arg version "$claude_version" '. + {
		hasCompletedOnboarding: true,
		lastOnboardingVersion: $version,
		bypassPermissionsModeAccepted: true,
		customApiKeyResponses: {approved: [$key], rejected: []}
	} | .projects[$dir] = {hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true}' \
		<<<"$(cat "$file" 2>/dev/null || echo '{}')" >"$T/claude.json"
	mv "$T/claude.json" "$file"
}

model() {
	local port
	printf '%s\n' "$1" >"$T/model.json"
	: >"$model_log"
	coproc MODEL { exec node "$agents_dir/model.js" "$T/model.json" "$model_log"; }
	read -r -t 20 port <&"${MODEL[0]}" || fail "the scripted model starts"
	export ANTHROPIC_BASE_URL=http://127.0.0.1:$port
}

model_end() {
	# shellcheck disable=SC2153 # coproc sets it
	local pid=$MODEL_PID
	eval "exec ${MODEL[1]}>&-"
	wait "$pid"
}

asked() {
	grep -c '"kind":"main"' "$model_log"
}

# Claude Code puts reminders of its own before what was said to it.
model_text='[.content | if type == "string" then . else .[] | select(.type == "text") | .text end
	| select(startswith("<system-reminder>") | not)]'

prompt_of() {
	jq -j "select(.step == $1) | .body.messages[0] | $model_text | first" "$model_log"
}

told() {
	jq -en --arg text "$2" 'any(inputs | select(.step == '"$1"') | .body.messages[];
		tostring | contains($text | tojson[1:-1]))' "$model_log" >/dev/null
}

asked_times() {
	[[ $(asked) -ge $1 ]]
}

outline() {
	# shellcheck disable=SC2001 # a pattern is no regular expression
	sed 's/ (exit:.*//' <<<"$1"
}

trust "$PWD"

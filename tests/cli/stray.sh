# stray.sh - agents that kill their own keeper (for the tests that source it after lib.sh).
# shellcheck shell=bash
#
#	$stray PLACE      an agent that leaves a daemon without our environment, descriptors or session:
#	                  nothing tells whose it is but descent.  Its pid goes to PLACE/daemon, and is
#	                  added to PLACE/daemons; PLACE/alive appears when the one before still lives.
#	                  Then it kills its keeper with -9.

# shellcheck disable=SC2034 # for the test
stray=$T/stray
cat >"$stray" <<'SCRIPT'
#!/bin/bash
keeper=$PPID place=$1
until [[ $(</proc/$keeper/comm) == ralph-keeper ]]; do
	keeper=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$keeper/status")
done
mkdir -p "$place"
[[ -s $place/daemon ]] && kill -0 "$(<"$place/daemon")" 2>/dev/null && touch "$place/alive"
rm -f "$place/daemon"
env -i /usr/bin/setsid /bin/bash -c '
	for fd in /proc/self/fd/*; do fd=${fd##*/}; ((fd > 2)) && eval "exec $fd>&-"; done
	echo $$ >"$1/new"; echo $$ >>"$1/daemons"; mv "$1/new" "$1/daemon"; exec sleep 96' \
	bash "$place" </dev/null >/dev/null 2>&1 &
until [[ -s $place/daemon ]]; do sleep 0.02; done
kill -KILL "$keeper"
sleep 95
SCRIPT
chmod +x "$stray"

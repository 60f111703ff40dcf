# killed-git.sh - a git that is killed with all its forebears of ours.
# shellcheck shell=bash
#
#	kill_at SYSCALL PATH    when the next `git update-ref` of ours comes to that, once

export T REAL_GIT
REAL_GIT=$(command -v git)
mkdir -p "$T/bin"
cat >"$T/bin/git" <<'END'
#!/usr/bin/env bash
[[ " $* " == *" update-ref "* && -s $T/at ]] || exec "$REAL_GIT" "$@"
read -r call path <"$T/at"
strace -f -qq -o /dev/null -P "$path" -e inject="$call:signal=KILL:when=1" "$REAL_GIT" "$@"
rc=$?
((rc > 128)) || exit "$rc"
rm "$T/at"
for ((pid = PPID; pid > 1; pid = $(awk '/^PPid:/ { print $2 }' "/proc/$pid/status"))); do
	[[ $(tr '\0' '\n' <"/proc/$pid/cmdline" | head -n 1) == *ralph ]] && ours+=("$pid")
done
kill -9 "${ours[@]}"
END
chmod +x "$T/bin/git"
export PATH="$T/bin:$PATH"

kill_at() {
	echo "$1 $2" >"$T/at"
}

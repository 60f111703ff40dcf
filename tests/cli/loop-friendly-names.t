#!/usr/bin/env bash
# Sessions have friendly names, by which they can be attached to; two at once are told apart.
. "$(dirname "$0")/tickets.sh"

new_project
ticket pt-1
ticket pt-2
for id in pt-1 pt-2; do
	does "$id" <<'SCRIPT'
echo "here is $id"; note "ready $id"; after go; close_ticket; commit
SCRIPT
done
shows() { [[ $(attached "$1") == *"$2"* ]]; }
work_on_bg --parallel 2
wait_for 20 said "$T/log" '^ready' 2
for id in pt-1 pt-2; do
	name=$(sed -n "s/^Launching dispatch for $id\\.\\.\\. session=//p" "$T/bg.$bg.err")
	like "$name" '^[a-z]+-[a-z]+$' "$id has a name of two words"
	ok "attach shows its agent" wait_for 20 shows "$name" "here is $id"
done
run "$RALPH" attach no-such
not_ok "a name that nobody has" test "$status" -eq 0
echo go >>"$T/log"
end_bg 30 "$bg"
is "$status" 0 "both are done"
done_testing

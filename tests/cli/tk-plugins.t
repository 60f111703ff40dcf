#!/usr/bin/env bash
# Programs on PATH named tk-NAME or ticket-NAME are commands, also in place of built-in ones.
. "$(dirname "$0")/../cli/lib.sh"
. "$root/tests/cli/tk.sh"

mkdir bin
export PATH=$T/work/bin:$PATH
plugin() {
	printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}
# shellcheck disable=SC2016 # for the plugins
plugin tk-hello 'printf "%s|" hello "$@"'
plugin ticket-hello 'echo never'
plugin ticket-greet '# tk-plugin: Greets, politely
echo greetings'
# shellcheck disable=SC2016
plugin tk-where 'echo "$TICKETS_DIR"'
# shellcheck disable=SC2016
plugin tk-wrap 'exec "$TK_SCRIPT" super create "$@"'
# shellcheck disable=SC2016
plugin tk-binary '[ "$1" != --tk-describe ] || echo "tk-plugin: Asked for it"'
plugin tk-close 'echo mine; exit 7'
plugin tk-help 'echo mine; exit 7'
plugin ticket-help 'echo mine; exit 7'
plugin tk--h 'echo mine; exit 7'
plugin tk---help 'echo mine; exit 7'
plugin tk- 'echo mine; exit 7'
# A script would be called by its path.
cp "$(command -v bash)" bin/tk-name
: >bin/tk-notrun

tk hello 'two words' -x --
is "$out" "hello|two words|-x|--|" "tk-NAME goes before ticket-NAME, and gets its words as they are"
tk greet
is "$out" greetings "ticket-NAME is one, too"
tk where
is "$out" "" "without tickets there is no TICKETS_DIR"
TICKETS_DIR=nowhere tk where
exit_is 1 "one that names nothing"
like "$err" "^Error: tickets directory 'nowhere' does not exist" "is an error, as for every command"
mkdir .tickets sub
cd sub || exit 1
tk where
is "$out" "$T/work/.tickets" "with tickets a plugin knows where they are"
cd .. || exit 1
tk wrap 'A wrapped one'
exit_is 0 "a plugin can call what is built in"
ok "by TK_SCRIPT" test -s ".tickets/$out.md"
id=$out
tk close "$id"
is "$status $out" "7 mine" "a plugin stands in for a built-in command"
tk super close "$id"
is "$out" "Updated $id -> closed" "which super reaches"
tk notrun
exit_is 1 "a file that cannot be run is no plugin"
run "$RALPH" tk ../bin/tk-hello
exit_is 1 "nor is a path"
tk help
like "$out" 'Plugins .*' "help lists them"
like "$out" $'\n  greet +Greets, politely\n' "with what they say in a comment"
like "$out" $'\n  binary +Asked for it\n' "or when asked"
like "$out" $'\n  hello +\\(no description\\)\n' "or nothing"
is "$(grep -c '^  hello ' <<<"$out")" 1 "each once"
for word in help --help -h ''; do
	tk $word
	like "$status $out" '^0 ralph tk - ' "help is never a plugin's: 'tk $word'"
	tk super $word
	like "$status $out" '^0 ralph tk - ' "nor behind super"
done
tk ''
like "$status $out" '^0 ralph tk - ' "an empty command is none"
tk super ''
like "$status $out" '^0 ralph tk - ' "behind super, too"
# shellcheck disable=SC2016 # for that shell
tk name -c 'echo $0'
is "$out" tk-name "a plugin is called by its own name"
ln -s "$RALPH" tk
run ./tk super ls
is "$out" "$("$RALPH" tk ls)" "called as tk, the program takes tk's words"
run ./tk wrap 'Another'
exit_is 0 "and so do its plugins"
run ./tk nosuch
exit_is 1 "and every error is 1"
done_testing

# desktop.sh - a display of our own, for tests of `ralph desktop`; sourced after lib.sh.
# shellcheck shell=bash
#
#	desktop_needs            skips the file where a display cannot be had
#	start_display [bare]     Xvfb, a session bus and openbox; "bare" without the latter
#	end_display              ends them, and whatever they started
#	client TITLE RRGGBB WxH+X+Y   a window of one colour; its pid is $bg, its output $T/bg.PID.out
#	dialog OPTION...         zenity; its pid is $bg, its output $T/bg.PID.out
#	there TITLE              the window manager knows a window of that title, for wait_for
#	pixel FILE X Y           prints the colour, RRGGBB
#	size FILE                prints WIDTHxHEIGHT

# shellcheck disable=SC2154 # lib.sh
desktop_client=$(dirname "$RALPH")/../tests/desktop/desktop_client
# shellcheck disable=SC2034 # for the tests
log=$T/work/ai/logs/pc-automation.log

# All displays of a machine share their numbers.  The first one that is free would be another's as soon
# as ours is gone, and a test that has ended its display would see that one.
display_number=$((1000 + $$ % 30000))

desktop_needs() {
	local tool
	for tool in Xvfb openbox zenity dbus-daemon; do
		type "$tool" >/dev/null 2>&1 || skip_all "there is no $tool here"
	done
	[[ -x /usr/libexec/at-spi-bus-launcher ]] || skip_all "there is no at-spi2-core here"
	[[ -x $(dirname "$RALPH")/ralph-desktop ]] || skip_all "built without ralph-desktop"
	mkdir -p ai
}

start_display() {
	mkdir -p "$T/run"
	chmod 700 "$T/run"
	export XDG_RUNTIME_DIR=$T/run
	dbus-daemon --session --nofork --print-address=1 >"$T/bus" 2>"$T/bus.err" &
	display_bus=$!
	: >"$T/display"
	while [[ -e /tmp/.X11-unix/X$display_number || -e /tmp/.X$display_number-lock ]]; do
		display_number=$((display_number + 1))
	done
	Xvfb ":$display_number" -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>"$T/display" >"$T/xvfb.err" 2>&1 &
	display_x=$!
	wait_for 60 test -s "$T/bus"
	wait_for 60 test -s "$T/display"
	DBUS_SESSION_BUS_ADDRESS=$(head -n 1 "$T/bus")
	DISPLAY=:$(head -n 1 "$T/display")
	export DBUS_SESSION_BUS_ADDRESS DISPLAY
	display_wm=
	[[ ${1:-} != bare ]] || return 0
	start_manager
}

# Openbox may give up, or wait for ever, while it starts on a busy machine, even after it said that
# it is the window manager.  It is believed when it has taken a window.
start_manager() {
	local try deadline probe
	for try in 1 2 3 4; do
		openbox --sm-disable >"$T/openbox.err" 2>&1 &
		display_wm=$!
		"$desktop_client" window Probe 000000 10x10+0+0 >/dev/null &
		probe=$!
		deadline=$((SECONDS + 20))
		until managed && there Probe; do
			kill -0 "$display_wm" 2>/dev/null || break
			((SECONDS < deadline)) || break
			sleep 0.05
		done
		kill "$probe"
		wait "$probe" 2>/dev/null
		if ((SECONDS < deadline)) && kill -0 "$display_wm" 2>/dev/null; then
			wait_for 60 vanished Probe
			return
		fi
		diag "openbox does not manage the display, try $try: $(tail -n 3 "$T/openbox.err")"
		kill -KILL "$display_wm" 2>/dev/null
		wait "$display_wm" 2>/dev/null
	done
	fail "openbox manages the display within four tries"
}

vanished() {
	! there "$1"
}

managed() {
	[[ $("$RALPH" desktop check --json | jq -r .window_manager) == Openbox ]]
}

end_display() {
	local pid
	# shellcheck disable=SC2086 # empty without a window manager
	kill $display_wm "$display_x" "$display_bus" 2>/dev/null
	for pid in $display_wm "$display_x" "$display_bus"; do
		wait "$pid" 2>/dev/null
	done
	return 0
}

client() {
	run_bg "$desktop_client" window "$@"
	wait_for 60 said "$T/bg.$bg.out" '^shown'
	[[ -z $display_wm ]] || wait_for 60 there "$1"
}

dialog() {
	run_bg zenity "$@"
}

# Not by an action of ours, so that the log stays what a test made it.
there() {
	"$RALPH" desktop windows --project "$T" --json | jq -e --arg t "$1" '.windows | any(.title == $t)' >/dev/null
}

pixel() {
	perl -MCompress::Zlib -e '
		my ($file, $x, $y) = @ARGV;
		open(my $in, "<:raw", $file) or die; local $/; my $d = <$in>;
		die "no PNG" unless substr($d, 0, 8, "") eq "\x89PNG\r\n\x1a\n";
		my ($w, $h, $z) = (0, 0, "");
		while (length $d) {
			my ($n, $type) = unpack("N a4", $d);
			my $body = substr($d, 8, $n);
			die "checksum of $type" unless unpack("N", substr($d, 8 + $n, 4)) == crc32($type . $body);
			($w, $h) = unpack("N N", $body) if $type eq "IHDR";
			$z .= $body if $type eq "IDAT";
			substr($d, 0, 12 + $n, "");
		}
		if (!defined $x) { print "${w}x$h\n"; exit }
		my $raw = uncompress($z);
		die "length" unless length($raw) == $h * (1 + 3 * $w);
		print uc unpack("H6", substr($raw, $y * (1 + 3 * $w) + 1 + 3 * $x, 3)), "\n"' "$@"
}

size() {
	pixel "$1"
}

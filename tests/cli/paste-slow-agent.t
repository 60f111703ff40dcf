#!/usr/bin/env bash
# The prompt is entered also where Enter is easily lost: in agents that are slow to start, or
# to show a paste, or that take an Enter right behind it for a part of it.
. "$(dirname "$0")/../cli/lib.sh"

printf 'first line\nsecond line\n' >prompt
cat >agent.pl <<'SCRIPT'
use strict;
use warnings;
use Time::HiRes qw(sleep);

my ($start, $busy, $deaf) = @ARGV; # seconds before the first screen, before the echo; lost Enters
my ($text, $enters) = ('', 0);

sub show { syswrite STDOUT, $_[0] }
sub more { my ($r, $n) = ('', shift); vec($r, 0, 1) = 1; return select($r, undef, undef, $n) }

system 'stty raw -echo';
show("\e[?25l\e[?2004h");
sleep $start;
show("\e[2J\e[HWelcome to the agent\r\n\r\n----\r\n");
sleep 0.1;
show("> \r\n----\r\nenter to send\e[4;3H");
until ($text =~ /\e\[201~/) { sysread STDIN, $text, 65536, length $text or exit 1 }
sleep $busy;
sysread STDIN, $text, 65536, length $text while more(0.1);
show("\e[4;1H\e[K> [Pasted text]\e[6;1H\e[Kpaste again to expand\e[4;16H");
while (1) {
	sysread STDIN, my $key, 1 or exit 1;
	last if $enters++ == $deaf;
	show("\e[6;1H\e[Kwell?\e[4;16H");
}
show("\e[4;1H\e[K> \e[7;1Hthinking\e[4;3H");
$enters++ while more(2) && sysread STDIN, my $key, 1;
open my $out, '>', 'got' or die;
print $out "$enters $text";
SCRIPT

# slow NAME START BUSY DEAF
slow() {
	run "${loop[@]}" "$1" --max-iterations 1 --prompt-via paste --inactivity-timeout 10 -- perl agent.pl "$2" "$3" "$4"
	got=$(tr '\r\033' 'N^' <got)
	rm -f got
}

slow start 0.7 0 0
is "$got" '1 ^[200~first lineNsecond line^[201~' "an agent that is slow to start gets paste, then Enter"
slow echo 0 0.8 0
is "$got" '1 ^[200~first lineNsecond line^[201~' "one that is slow to show it, too"
slow busy 0 3 0
is "$got" '1 ^[200~first lineNsecond line^[201~N' "one that is very slow gets a second Enter"
slow deaf 0 0 1
is "$got" '2 ^[200~first lineNsecond line^[201~' "so does one that did not hear the first"
no_leftovers "nothing goes on"
done_testing

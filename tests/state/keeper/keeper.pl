# keeper.pl - what a keeper says on its socket (src/session/wire.h), recorded once and replayed later.
#
#   perl keeper.pl record SESSION FRAMES         greets the keeper of a session as its supervisor does, and writes all
#                                                bytes it sends, until it goes, to FRAMES
#   perl keeper.pl replay SESSION FRAMES EXIT    is that keeper: holds the session's lock, writes keeper.json, listens, is
#                                                greeted, sends all frames but the last; when SESSION/go is there, it
#                                                writes exit.json (as EXIT has it), sends the last frame, and goes
use strict;
use warnings;
use Fcntl ':flock';
use Socket;

sub slurp { open my $f, '<:raw', $_[0] or die "$_[0]: $!"; local $/; return scalar <$f> }
sub spew { open my $f, '>:raw', "$_[0].new" or die "$_[0]: $!"; print $f $_[1]; close $f; rename "$_[0].new", $_[0] }

my ($mode, $session, $frames, $exit) = @ARGV;
my $bytes = $mode eq 'replay' ? slurp($frames) : '';
$exit = slurp($exit) if defined $exit;
open my $out, '>:raw', $frames or die "$frames: $!" if $mode eq 'record';
chdir $session or die "$session: $!";
socket my $s, PF_UNIX, SOCK_STREAM, 0 or die;

if ($mode eq 'record') {
	connect $s, sockaddr_un('sock') or die "sock: $!";
	syswrite $s, pack('VC', 17, 1) . pack('VCvvQ<', 1, 1, 0, 0, 0);
	while (sysread $s, my $some, 65536) { syswrite $out, $some }
	exit 0;
}

open my $lock, '>>', 'task.lock' or die;
flock $lock, LOCK_EX or die;
my $start = (split ' ', slurp('/proc/self/stat') =~ s/^.*\) //sr)[19];
chomp(my $boot = slurp('/proc/sys/kernel/random/boot_id'));
spew('keeper.json', qq({"boot_id":"$boot","pid":$$,"start_time":$start,"agent":{"pid":$$,"start_time":$start}}\n));
# Listening before it has the name that others look for.
bind $s, sockaddr_un('sock.new') or die "sock.new: $!";
listen $s, 5 or die;
rename 'sock.new', 'sock' or die "sock: $!";
my @all;
while (length $bytes) { push @all, substr $bytes, 0, 5 + unpack('V', $bytes), '' }
my $last = pop @all;
# A caller that goes before it greets is no supervisor.
my ($c, $hello);
do {
	accept $c, $s or die;
	$hello = '';
	1 while length $hello < 22 && sysread $c, $hello, 22 - length $hello, length $hello;
} until length $hello == 22;
my (undef, $type, $version, $role) = unpack 'VCVC', $hello;
die 'not greeted as a keeper of that version is' unless $type == 1 && $version == 1 && $role == 1;
syswrite $c, $_ for @all;
spew('greeted', '');
select undef, undef, undef, 0.02 until -e 'go';
spew('exit.json', $exit);
syswrite $c, $last;
sysread $c, my $rest, 1;

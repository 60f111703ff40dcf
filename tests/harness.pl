#!/usr/bin/env perl
# harness.pl - runs test programs that speak TAP, as `prove` does, and counts every check.
#
#   harness.pl --jobs N --limit SECONDS --tally FILE NAME=PROGRAM...
#
# A program fails by a "not ok", a broken plan, an exit status or by running longer than
# --limit; its whole log is shown then.  "PASSED FAILED" is appended to FILE.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Getopt::Long;
use TAP::Harness;

my ($jobs, $limit, $tally) = (1, 300, undef);
GetOptions('jobs=i' => \$jobs, 'limit=i' => \$limit, 'tally=s' => \$tally) or exit 2;

# The harness keeps a copy of what each program wrote, under its path, in this directory.
my $spool = $ENV{PERL_TEST_HARNESS_DUMP_TAP} = tempdir(CLEANUP => 1);
my ($passed, $failed, @bad) = (0, 0);

sub command {
	my ($harness, $program) = @_;
	return ['timeout', '-k', 5, $limit, $program];
}

sub tally_program {
	my ($job, $parser) = @_;
	my $missing = ($parser->tests_planned // 0) - $parser->tests_run;
	my $bad = $parser->failed + ($missing > 0 ? $missing : 0);

	# A crash after the last check is one more failure.
	$bad = 1 if $bad == 0 && $parser->has_problems;
	$passed += $parser->passed;
	$failed += $bad;
	push @bad, [$job->[0], $job->[1], $parser->exit] if $bad;
}

sub show_log {
	my ($program, $name, $exit) = @_;
	my $why = $exit == 124 ? " (ran longer than $limit s)" : $exit ? " (exit status $exit)" : '';

	print "\n--- $name$why\n";
	if (open my $log, '<', "$spool/$program") {
		print while <$log>;
	}
	print "---\n";
}

$| = 1;
my $harness = TAP::Harness->new({ jobs => $jobs, merge => 1, timer => 1, exec => \&command });
$harness->callback(after_test => \&tally_program);
$harness->runtests(map { my ($name, $program) = split /=/, $_, 2; [$program, $name] } @ARGV);
show_log(@$_) for @bad;
open my $out, '>>', $tally or die "$tally: $!\n";
print $out "$passed $failed\n";
close $out or die "$tally: $!\n";
exit($failed ? 1 : 0);

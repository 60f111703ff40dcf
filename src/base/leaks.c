/*
 * leaks.c - lets the leak checker come to its end, in the builds that have one.
 *
 * At exit the leak checker stops the process with SIGSTOP and waits until the process has
 * stopped.  A terminal that goes sends SIGCONT to its session's leader and to its foreground
 * group; SIGCONT takes back a SIGSTOP, and then both sides wait for ever.  So a process leaves
 * its terminal before it is checked.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The checker calls this before anything else; the name is the checker's. */
int __lsan_is_turned_off(void);

int
__lsan_is_turned_off(void)
{
	int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	pid_t self = getpid(), leader = getsid(0);

	if (leader == self) {
		/* The foreground group hears now what it would hear when we are gone. */
		(void)signal(SIGHUP, SIG_IGN);
		(void)ioctl(terminal, TIOCNOTTY);
	} else if (getpgrp() != self) {
		(void)setpgid(0, 0);
	} else if (terminal < 0 || tcgetpgrp(terminal) == self) {
		(void)setpgid(0, leader);
	}
	return 0;
}

/*
 * pty.c - a terminal for an agent.
 */
#include "session/keeper.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

void
pty_resize(int master, int rows, int cols)
{
	struct winsize size = {
	    .ws_row = (unsigned short)rows,
	    .ws_col = (unsigned short)cols,
	};

	(void)ioctl(master, TIOCSWINSZ, &size);
}

int
pty_open(int rows, int cols, int *master, int *slave, struct err *err)
{
	AUTO_CLOSE int m = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	AUTO_CLOSE int s = -1;
	struct termios t;

	if (m < 0 || grantpt(m) < 0 || unlockpt(m) < 0)
		return err_errno(err, "cannot open a terminal");
	/* By descriptor, not by name: /dev/pts may be another one in a container. */
	s = ioctl(m, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (s < 0 || tcgetattr(s, &t) < 0)
		return err_errno(err, "cannot open a terminal");
	t.c_iflag |= IUTF8;
	if (tcsetattr(s, TCSANOW, &t) < 0)
		return err_errno(err, "cannot set up a terminal");
	pty_resize(m, rows, cols);
	*master = take_fd(&m);
	*slave = take_fd(&s);
	return 0;
}

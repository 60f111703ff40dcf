/*
 * empty - what it costs at least to be started and to read files: empty FILE...
 */
#include <fcntl.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	static char data[65536];

	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return 1;
		while (read(fd, data, sizeof(data)) > 0)
			;
		close(fd);
	}
	return 0;
}

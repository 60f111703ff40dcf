/*
 * bench_tickets - reading a backlog in process: bench_tickets DIR COUNT
 *
 * Makes COUNT tickets in DIR, all of them open, unless they are there.  Prints a line
 * "value floor" each: reading all of them for the first time, against opening and reading
 * the files; finding out that nothing changed, against a stat of each; both in ms, the medians
 * of turns.  Then the memory that the backlog takes, in MB, without a floor.
 */
#include "samples.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "work/tickets/backlog.h"
#include <fcntl.h>
#include <malloc.h>

enum { TURNS = 15 };

static char *
file_name(long i)
{
	return xasprintf("mp-%05ld.md", i);
}

/* Old, as most files of a backlog are: what changed just now is read again. */
static int
make(int dir, long count)
{
	const struct timespec old[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000}};

	for (long i = 0; i < count; i++) {
		AUTO_FREE char *file = file_name(i);
		AUTO_CLOSE int fd = openat(dir, file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		AUTO_FREE char *text = xasprintf(
		    "---\nid: mp-%05ld\nstatus: open\ndeps: []\nlinks: []\n"
		    "created: 2026-11-15T20:39:18Z\ntype: task\npriority: %ld\nassignee: demo\n"
		    "tags: [component:part%ld]\n---\n# Ticket number %ld of the backlog\n\n"
		    "What is to be done, in a few words, as such tickets have them.\n\n"
		    "## Acceptance Criteria\n\nThe tests pass, and there is a new one.\n\n",
		    i, i % 5, i % 40, i);

		if (fd < 0 || write(fd, text, strlen(text)) < 0 || futimens(fd, old) < 0)
			return -1;
	}
	return 0;
}

static int64_t
read_files(int dir, long count)
{
	static char bytes[1 << 17];
	int64_t start = now_ns();

	for (long i = 0; i < count; i++) {
		char file[32];
		int fd;

		snprintf(file, sizeof(file), "mp-%05ld.md", i);
		fd = openat(dir, file, O_RDONLY | O_CLOEXEC);
		while (read(fd, bytes, sizeof(bytes)) > 0)
			;
		close(fd);
	}
	return now_ns() - start;
}

static int64_t
stat_files(int dir, long count)
{
	int64_t start = now_ns();

	for (long i = 0; i < count; i++) {
		char file[32];
		struct stat st;

		snprintf(file, sizeof(file), "mp-%05ld.md", i);
		if (fstatat(dir, file, &st, 0) < 0)
			return -1;
	}
	return now_ns() - start;
}

static int64_t
refresh(struct backlog *b, size_t count)
{
	const struct ticket *const *ready;
	struct err err = ERR_INIT;
	int64_t start = now_ns();

	if (b == NULL || backlog_refresh(b, &err) < 0 || backlog_ready(b, &ready) != count) {
		fprintf(stderr, "bench_tickets: %s\n", err.text);
		exit(1);
	}
	return now_ns() - start;
}

static void
measure(int dir, const char *path, long count)
{
	int64_t cold[TURNS], files[TURNS], warm[TURNS], stats[TURNS];
	struct err err = ERR_INIT;

	for (int i = 0; i < TURNS; i++) {
		struct backlog *b = backlog_open(path, &err);

		files[i] = read_files(dir, count);
		cold[i] = refresh(b, (size_t)count);
		stats[i] = stat_files(dir, count);
		warm[i] = refresh(b, (size_t)count);
		backlog_close(b);
	}
	printf("%.3f ", sample_quantile(cold, TURNS, 0.5));
	printf("%.3f\n", sample_quantile(files, TURNS, 0.5));
	printf("%.3f ", sample_quantile(warm, TURNS, 0.5));
	printf("%.3f\n", sample_quantile(stats, TURNS, 0.5));
}

int
main(int argc, char **argv)
{
	AUTO_CLOSE int dir = argc == 3 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	long count = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	struct err err = ERR_INIT;
	struct backlog *b;
	size_t before;

	if (dir < 0 || count < 1 || count > 99999) {
		fprintf(stderr, "usage: bench_tickets DIR COUNT\n");
		return 2;
	}
	if (make(dir, count) < 0)
		return 1;
	measure(dir, argv[1], count);
	before = mallinfo2().uordblks + mallinfo2().hblkhd;
	b = backlog_open(argv[1], &err);
	(void)refresh(b, (size_t)count);
	printf("%.1f 0\n", (double)(mallinfo2().uordblks + mallinfo2().hblkhd - before) / 1e6);
	backlog_close(b);
	return 0;
}

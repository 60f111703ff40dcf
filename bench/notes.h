/*
 * notes.h - the notes that our stand-ins for agents make: boot times in ns, appended to a file.
 */
#ifndef BENCH_NOTES_H
#define BENCH_NOTES_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* The current boot time, in ns. */
static inline int64_t
note_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Appends `began` and the current time; returns 1 when that failed.  The file is opened before
 * the time is taken, so that little comes after it. */
static inline int
note_span(const char *path, int64_t began)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	int64_t stamps[2] = {began, note_now()};

	if (fd < 0 || write(fd, stamps, sizeof(stamps)) != sizeof(stamps))
		return 1;
	return 0;
}

/* Reads at most `max` notes of `size` bytes; returns how many there were. */
static inline size_t
notes_read(const char *path, void *notes, size_t size, size_t max)
{
	FILE *f = fopen(path, "re");
	size_t n = 0;

	if (f != NULL) {
		n = fread(notes, size, max, f);
		fclose(f);
	}
	return n;
}

#endif

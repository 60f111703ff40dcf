/*
 * memory.c - gives memory back that was needed once.
 */
#include "base/process/memory.h"
#include "base/buf.h"
#include "base/fs.h"
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Kept below the caller's frame: the calls to come use these pages again at once. */
#define STACK_KEPT ((uintptr_t)16 * 1024)
#define MAPS_MAX ((size_t)256 * 1024)

#ifdef __SANITIZE_ADDRESS__

void
memory_settle(void)
{
}

#else

/* The lowest address of the process's stack; 0: it is not known.  The frame has to be in there:
 * a name alone proves nothing, since any file that is mapped may be called "[stack]". */
static uintptr_t
stack_bottom(uintptr_t frame)
{
	AUTO_BUF maps = BUF_INIT;

	if (fs_read(AT_FDCWD, "/proc/self/maps", MAPS_MAX, &maps, NULL) < 0)
		return 0;
	/* Each line ends with a line end. */
	for (const char *line = maps.data, *next; (next = strchr(line, '\n')) != NULL;
	     line = next + 1) {
		char *end;
		uintptr_t from = (uintptr_t)strtoumax(line, &end, 16);
		uintptr_t upto = *end == '-' ? (uintptr_t)strtoumax(end + 1, NULL, 16) : 0;

		if (from <= frame && frame < upto)
			return memmem(end, (size_t)(next - end), "[stack]", 7) != NULL ? from
										       : 0;
	}
	return 0;
}

void
memory_settle(void)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t from = stack_bottom(here);
	uintptr_t upto = (here - STACK_KEPT) & ~(page - 1);

	(void)malloc_trim(0);
	if (from != 0 && from < upto && upto < here)
		(void)madvise((void *)from, upto - from, MADV_DONTNEED);
}

#endif

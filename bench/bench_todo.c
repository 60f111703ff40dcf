/*
 * bench_todo - reading todo.md: bench_todo DIR COUNT
 *
 * Makes DIR/todo.md with COUNT lines of tasks, each with all that such a line has: two of three
 * done, the rest open.  Prints two lines "value floor", in ms, the medians of turns: reading
 * and parsing it with the check for ids that are there twice, against reading it; and marking
 * one task done in it, against writing it anew as carefully.
 *
 * Every buffer is new to the process, as it is to one that reads the list once: malloc would
 * learn from the first turns to keep such buffers, and the floor would get the one that the
 * value has just warmed.
 */
#include "samples.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "work/todo/todo_mark.h"
#include <fcntl.h>
#include <malloc.h>

enum { TURNS = 31 };

static struct err err;

static int
make(int dir, long count)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "# Tasks\n\n## Claude Tasks\n");
	for (long i = 1; i <= count; i++)
		buf_addf(&text,
		    "- [%s] T%03ld: What is to be done, in a few words @claude [worklog: "
		    "pending] "
		    "(created: 2026-01-27 10:00)%s\n",
		    i % 3 != 0 ? "x" : " ", i,
		    i % 3 != 0 ? " (completed: 2026-01-27 10:15)" : "");
	return fs_replace(dir, "todo.md", text.data, text.len, FS_NOSYNC, &err);
}

static int64_t
read_file(int dir, struct buf *text)
{
	int64_t start = now_ns();

	return fs_read(dir, "todo.md", TODO_MAX, text, &err) < 0 ? -1 : now_ns() - start;
}

static int64_t
parse_file(int dir, size_t work)
{
	AUTO_BUF text = BUF_INIT;
	int64_t start = now_ns(), end;
	struct todo_file f;

	if (fs_read(dir, "todo.md", TODO_MAX, &text, &err) < 0)
		return -1;
	todo_file_parse(&f, text.data, text.len, NULL);
	if (todo_file_check(&f, &err) < 0 || f.nwork != work)
		return -1;
	end = now_ns();
	todo_file_release(&f);
	return end - start;
}

static int64_t
mark(const char *path, long id, enum todo_state state)
{
	AUTO_FREE char *name = xasprintf("T%03ld", id);
	int64_t start = now_ns();

	return todo_mark(path, name, state, NULL, clock_wall(), &err) == TODO_MARKED
		   ? now_ns() - start
		   : -1;
}

static int64_t
write_file(int dir, const struct buf *text)
{
	int64_t start = now_ns();

	return fs_replace(dir, "todo.md", text->data, text->len, FS_SYNC, &err) < 0
		   ? -1
		   : now_ns() - start;
}

static int
measure(int dir, const char *path, long count)
{
	int64_t reads[TURNS], parses[TURNS], marks[TURNS], writes[TURNS];

	for (int i = 0; i < TURNS; i++) {
		AUTO_BUF text = BUF_INIT;

		reads[i] = read_file(dir, &text);
		parses[i] = parse_file(dir, (size_t)(count / 3));
		writes[i] = write_file(dir, &text);
		marks[i] = mark(path, 3, TODO_ACTIVE);
		if (reads[i] < 0 || parses[i] < 0 || writes[i] < 0 || marks[i] < 0 ||
		    mark(path, 3, TODO_OPEN) < 0)
			return -1;
	}
	printf("%.3f ", sample_quantile(parses, TURNS, 0.5));
	printf("%.3f\n", sample_quantile(reads, TURNS, 0.5));
	printf("%.3f ", sample_quantile(marks, TURNS, 0.5));
	printf("%.3f\n", sample_quantile(writes, TURNS, 0.5));
	return 0;
}

int
main(int argc, char **argv)
{
	AUTO_CLOSE int dir = argc == 3 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	long count = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	AUTO_FREE char *path = NULL;

	(void)mallopt(M_MMAP_THRESHOLD, 128 * 1024);
	if (dir < 0 || count < 3) {
		fprintf(stderr, "usage: bench_todo DIR COUNT\n");
		return 2;
	}
	path = xasprintf("%s/todo.md", argv[1]);
	if (make(dir, count) == 0 && measure(dir, path, count) == 0)
		return 0;
	fprintf(stderr, "bench_todo: %s\n", err.text);
	return 1;
}

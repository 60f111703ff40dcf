/*
 * bench_journal - decisions written down a second: bench_journal DIR
 *
 * The floor writes the same bytes and syncs them, without making or checking them.  Both
 * take turns, a batch at a time, as the disk has its moods.  Prints both, in appends/s.
 */
#include "samples.h"

#include "base/fs.h"
#include "record/journal.h"
#include <fcntl.h>

enum { BATCH = 50, BATCHES = 20 };

static void
fact_fill(struct fact *fact, int64_t i)
{
	*fact = (struct fact){
	    .kind = FACT_STARTED,
	    .at = {.boot = now_ns(), .wall = 1700000000000000000 + i},
	    .session = "0123456789abcdef-1",
	    .task = "prompt",
	    .iteration = i,
	};
}

static int64_t
append_facts(struct journal *j)
{
	struct err err = ERR_INIT;
	int64_t start = now_ns();

	for (int i = 0; i < BATCH; i++) {
		struct fact fact;

		fact_fill(&fact, i);
		if (journal_append(j, &fact, 1, FS_SYNC, &err) < 0) {
			fprintf(stderr, "bench_journal: %s\n", err.text);
			return -1;
		}
	}
	return now_ns() - start;
}

static int64_t
append_bytes(int fd, const struct buf *line)
{
	int64_t start = now_ns();

	for (int i = 0; i < BATCH; i++)
		if (write(fd, line->data, line->len) != (ssize_t)line->len || fdatasync(fd) < 0)
			return -1;
	return now_ns() - start;
}

/* A line as long as the journal's. */
static int
line_read(int dir, struct buf *line)
{
	struct err err = ERR_INIT;
	const char *end;

	if (fs_read(dir, "journal.jsonl", 1 << 20, line, &err) < 0)
		return -1;
	end = memchr(line->data, '\n', line->len);
	if (end == NULL)
		return -1;
	buf_truncate(line, (size_t)(end - line->data) + 1);
	return 0;
}

static int
measure(struct journal *j, int dir)
{
	AUTO_BUF line = BUF_INIT;
	AUTO_CLOSE int fd =
	    openat(dir, "floor", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	int64_t facts = 0, bytes = 0;

	if (fd < 0 || append_facts(j) < 0 || line_read(dir, &line) < 0)
		return 1;
	for (int i = 0; i < BATCHES; i++) {
		int64_t a = append_facts(j), b = append_bytes(fd, &line);

		if (a < 0 || b < 0)
			return 1;
		facts += a;
		bytes += b;
	}
	printf("%.0f %.0f\n", BATCH * BATCHES * 1e9 / (double)facts,
	    BATCH * BATCHES * 1e9 / (double)bytes);
	return 0;
}

int
main(int argc, char **argv)
{
	struct settings settings = {.max_iterations = 1};
	AUTO_CLOSE int dir = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	struct loop_state state;
	struct err err = ERR_INIT;
	struct journal *j;
	int rc;

	if (dir < 0) {
		fprintf(stderr, "usage: bench_journal DIR\n");
		return 2;
	}
	loop_init(&state, &settings, REGIME_REPEAT);
	j = journal_open(dir, false, &state, NULL, &err);
	if (j == NULL) {
		fprintf(stderr, "bench_journal: %s\n", err.text);
		return 1;
	}
	rc = measure(j, dir);
	journal_close(j);
	return rc;
}

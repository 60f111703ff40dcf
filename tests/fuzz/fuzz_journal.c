/*
 * The bytes are the content of journal.jsonl.  It may refuse to open, but then it says why;
 * if it opens, a fact can be appended and it opens again, one fact longer.
 *
 * A first byte of 's' seals every line of the rest (a fuzzer cannot guess a checksum), so
 * that facts of any shape reach the fold.
 */
#include "base/json.h"
#include "record/journal.h"
#include "record/seal.h"
#include "scratch.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int dir;

int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	dir = scratch_open("journal");
	return 0;
}

static void
add_sealed_lines(const char *text, size_t len, struct buf *out)
{
	while (len > 0) {
		const char *newline = memchr(text, '\n', len);
		size_t line = newline ? (size_t)(newline - text) : len;
		AUTO_JSON *v = json_parse(text, line, "line", NULL);

		if (json_is_object(v) && json_object_size(v) > 0)
			seal_print(v, out);
		else
			buf_add(out, text, line);
		if (newline)
			buf_addc(out, '\n');
		text += newline ? line + 1 : line;
		len -= newline ? line + 1 : line;
	}
}

static void
count(void *n, const struct fact *f UNUSED)
{
	++*(int64_t *)n;
}

/* Returns how many facts it opened to, -1 when it did not. */
static int64_t
open_and_append(bool readonly)
{
	static const struct settings settings = {.max_iterations = 10, .parallel = 1};
	static const struct fact fact = {.kind = FACT_ALERT, .text = "hello"};
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;
	struct loop_state state;
	struct journal *j;
	int64_t n = 0;

	loop_init(&state, &settings, REGIME_REPEAT);
	j = journal_open(dir, readonly, &state, &notes, &err);
	if (j != NULL) {
		ENSURE(journal_each(dir, count, &n, &err) == 0);
		if (!readonly)
			ENSURE(journal_append(j, &fact, 1, FS_SYNC, &err) == 0);
	} else {
		ENSURE(err.text[0] != '\0' && err.code != 0);
		n = -1;
	}
	journal_close(j);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool sealed = size > 0 && data[0] == 's';
	AUTO_BUF text = BUF_INIT;
	int64_t n;

	if (sealed)
		add_sealed_lines((const char *)data + 1, size - 1, &text);
	else
		buf_add(&text, data, size);
	scratch_put(dir, "journal.jsonl", text.data, text.len);
	n = open_and_append(true);
	ENSURE(open_and_append(false) == n);
	ENSURE(n < 0 || open_and_append(true) == n + 1);
	return 0;
}

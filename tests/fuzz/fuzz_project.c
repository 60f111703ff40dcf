/*
 * The bytes are a file of a project that `ralph loop` reads: the first one says which.  What
 * cannot be read is refused with a sentence or moved aside; what a view adds to a text is found
 * again, so that telling the same facts anew changes nothing.
 */
#include "scratch.h"
#include "work/tickets/keys.h"
#include "work/tickets/views/tickets_view.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int dir;

int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	AUTO_CLOSE int root = scratch_open("project");

	ENSURE(fs_mkdir(root, ".tf", NULL) == 0 && fs_mkdir(root, ".tf/ralph", NULL) == 0);
	dir = openat(root, ".tf/ralph", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ENSURE(dir >= 0);
	return 0;
}

static void
config(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	struct loop_config c = {.base = NULL};

	keys_defaults(&c);
	ENSURE(keys_read((const char *)data, size, &c, &err) == 0 || err.text[0] != '\0');
	keys_release(&c);
}

static void
state(const uint8_t *data, size_t size)
{
	struct tickets_run run;
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;
	int rc;

	scratch_put(dir, "dispatch-loop-state.json", data, size);
	rc = tickets_run_load(scratch_path, &run, &notes, &err);
	ENSURE(rc >= 0 || err.text[0] != '\0');
	ENSURE(rc != 0 || notes.len > 0);
	tickets_run_release(&run);
	/* Kept aside; too many of them would slow us down. */
	if (rc == 0)
		scratch_empty(dir);
}

static void
write_views(enum progress_form form, struct buf *progress, struct buf *lessons)
{
	struct settings settings = {.root = scratch_path,
	    .max_iterations = 5,
	    .parallel = 1,
	    .lands = true,
	    .lessons_max = 1000000,
	    .progress = (int)form};
	const struct fact facts[] = {
	    {.kind = FACT_OPENED, .uid = "00c0ffee00c0ffee", .at = {1, 1}},
	    {.kind = FACT_STARTED,
		.session = "s",
		.task = "pt-1",
		.title = "t",
		.iteration = 1,
		.at = {2, 2}},
	    {.kind = FACT_LANDED,
		.session = "s",
		.task = "pt-1",
		.verdict = VERDICT_DONE,
		.at = {3, 3}},
	    {.kind = FACT_FINISHED, .reason = END_NO_WORK, .at = {4, 4}},
	};
	static struct loop_state s;
	struct err err = ERR_INIT;
	struct view *l;

	loop_init(&s, &settings, REGIME_LANDED);
	l = tickets_view.open(
	    &(struct view_of){.loop = "x", .settings = &settings, .state = &s}, &err);
	ENSURE(l);
	for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
		loop_apply(&s, &facts[i]);
		tickets_view.fact(l, &(struct decided){.state = &s}, &facts[i]);
		if (facts[i].kind == FACT_STARTED)
			tickets_view_note((struct tickets_view *)l, "s", "summary", "a lesson");
	}
	if (tickets_view.write(l, &s, &err) < 0)
		BUG("%s", err.text);
	tickets_view.close(l);
	ENSURE(fs_read(dir, "progress.md", (size_t)1 << 24, progress, NULL) == 0);
	ENSURE(fs_read(dir, "AGENTS.md", (size_t)1 << 24, lessons, NULL) == 0);
}

/* Twice: the second time everything is there. */
static void
views(enum progress_form form)
{
	AUTO_BUF progress = BUF_INIT;
	AUTO_BUF lessons = BUF_INIT;
	AUTO_BUF again = BUF_INIT;
	AUTO_BUF still = BUF_INIT;

	write_views(form, &progress, &lessons);
	write_views(form, &again, &still);
	ENSURE(strcmp(progress.data, again.data) == 0);
	ENSURE(strcmp(lessons.data, still.data) == 0);
	ENSURE(tickets_lessons_count(&lessons) > 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	switch (data[0]) {
	case 'c':
		config(data + 1, size - 1);
		break;
	case 's':
		state(data + 1, size - 1);
		break;
	case 'p':
	case 'l':
		scratch_put(dir, "progress.md", data + 1, size - 1);
		scratch_put(dir, "AGENTS.md", data + 1, size - 1);
		views(data[0] == 'l' ? PROGRESS_LIST : PROGRESS_BLOCKS);
		break;
	default:
		break;
	}
	return 0;
}

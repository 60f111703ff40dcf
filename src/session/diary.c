/*
 * diary.c - the agent's own record of its conversation, read while it grows.
 *
 * The id is ours, so the file's name is known before the agent starts; neither the file nor the
 * directories on the way to it need be there yet.  Where inotify is not available (its
 * instances are few) the file is polled.
 *
 * An agent that was told to forget its conversation goes on in another file, beside the first,
 * under a name that nobody knows.  Others may write there, too.  So the conversation of a later
 * turn is the one in which the turn's prompt was said, in a new file or in the same file.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "watch/echo.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#define APPEARS (20 * NSEC_PER_SEC) /* longest time from the prompt until the file appears */
/* Replaces APPEARS when the screen shows what was looked for: the file appears some tenths of a
 * second after the prompt, long before the answer. */
#define APPEARS_BY_THEN (2 * NSEC_PER_SEC)
#define POLL (500 * NSEC_PER_MSEC)
#define CHUNK 65536
#define CHUNKS_AT_ONCE 64 /* chunks read at a time, before other work gets its turn */
#define STEPS_MAX 64	  /* how often the watch follows directories that are just being made */
#define SOUGHT_MAX 400	  /* so many letters of a prompt tell it from other prompts */
#define SUFFIX ".jsonl"

/* ---- file ---------------------------------------------------------------------------- */

static void
line_said(void *ctx, const char *line, size_t len)
{
	struct diary *d = ctx;

	if (d->sought.len == 0)
		watcher_said(&d->k->watcher, line, len);
}

static bool
is_sought(const struct diary *d, const char *text, size_t len)
{
	AUTO_BUF letters = BUF_INIT;

	echo_letters(text, len, &letters);
	return letters.len >= d->sought.len &&
	       memcmp(letters.data, d->sought.data, d->sought.len) == 0;
}

static void
diary_text_heard(void *ctx, const char *text, size_t len)
{
	struct diary *d = ctx;

	if (d->sought.len > 0 && is_sought(d, text, len))
		buf_clear(&d->sought);
}

static void
complaint_came(void *ctx, const char *text)
{
	struct diary *d = ctx;

	excuse_complaint(d->k, text);
}

static void
diary_transcript_begin(struct diary *d)
{
	transcript_init(&d->transcript, line_said, d);
	d->transcript.heard = diary_text_heard;
	d->transcript.complained = complaint_came;
}

/* Returns whether more is left. */
static bool
diary_file_read(struct diary *d, int chunks)
{
	static char chunk[CHUNK]; /* nothing of it outlives the call */

	while (chunks-- > 0) {
		size_t turns = d->transcript.turns;
		ssize_t n = read(d->fd, chunk, sizeof(chunk));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		transcript_feed(&d->transcript, chunk, (size_t)n);
		if (d->transcript.turns != turns && d->sought.len == 0)
			watcher_turn(&d->k->watcher);
	}
	return true;
}

static int
path_open(const char *path)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	return fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ? -1 : take_fd(&fd);
}

static bool
diary_file_open(struct diary *d)
{
	d->fd = path_open(d->path);
	return d->fd >= 0;
}

/* ---- watching ------------------------------------------------------------------------ */

static void
notify_close(struct diary *d)
{
	ev_io_close(&d->io, &d->notify_fd);
	d->watch = -1;
}

static void
watch_move(struct diary *d, int watch)
{
	if (d->watch >= 0 && d->watch != watch)
		(void)inotify_rm_watch(d->notify_fd, d->watch);
	d->watch = watch;
	if (watch < 0)
		notify_close(d);
}

/* Watches the deepest directory that exists on the way to the file. */
static int
way_watch(const struct diary *d)
{
	AUTO_FREE char *dir = xstrdup(d->path);
	char *slash;
	int watch = -1;

	while (watch < 0 && (slash = strrchr(dir, '/')) != NULL) {
		slash[slash == dir] = '\0';
		watch =
		    inotify_add_watch(d->notify_fd, dir, IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
		if (watch < 0 && errno != ENOENT && errno != ENOTDIR)
			break;
		if (slash == dir)
			break;
	}
	return watch;
}

static int
file_watch(const struct diary *d)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", d->fd);

	return inotify_add_watch(d->notify_fd, link, IN_MODIFY);
}

/* The next look sees a file that appears between a look and the watch. */
static void
diary_file_find(struct diary *d)
{
	bool found = diary_file_open(d);

	for (int i = 0; !found && d->notify_fd >= 0 && i < STEPS_MAX; i++) {
		int before = d->watch;

		watch_move(d, way_watch(d));
		found = diary_file_open(d);
		if (d->watch == before)
			break;
	}
	if (found && d->notify_fd >= 0)
		watch_move(d, file_watch(d));
}

/* ---- another turn -------------------------------------------------------------------- */

struct conversation {
	const struct diary *d;
	bool said; /* the prompt was said in it */
};

static void
conversation_said(void *ctx UNUSED, const char *line UNUSED, size_t len UNUSED)
{
}

static void
conversation_heard(void *ctx, const char *text, size_t len)
{
	struct conversation *c = ctx;

	c->said |= is_sought(c->d, text, len);
}

static bool
conversation_read(const struct diary *d, int fd)
{
	struct conversation c = {.d = d};
	struct transcript t;
	AUTO_BUF chunk = BUF_INIT;
	ssize_t n;

	buf_reserve(&chunk, CHUNK);
	transcript_init(&t, conversation_said, &c);
	t.heard = conversation_heard;
	while (!c.said && (n = read(fd, chunk.data, CHUNK)) > 0)
		transcript_feed(&t, chunk.data, (size_t)n);
	transcript_release(&t);
	return c.said && lseek(fd, 0, SEEK_SET) == 0;
}

/* The names of the files that may be conversations; NULL where nobody can tell. */
static char **
diary_list(const struct diary *d)
{
	AUTO_FREE char *dir = fs_parent(d->path);
	char **list = NULL;

	(void)!fs_list(AT_FDCWD, dir, &list, NULL);
	return list;
}

/* Learns which files are there already.  Where nobody can tell, what was known stays known. */
static void
diary_know(struct diary *d)
{
	char **list = diary_list(d);

	if (list == NULL)
		return;
	strlist_free(d->known);
	d->known = list;
}

/* Makes the file the diary when the prompt was said in it. */
static bool
file_try(struct diary *d, const char *name)
{
	AUTO_FREE char *dir = fs_parent(d->path);
	AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
	AUTO_CLOSE int fd = path_open(path);

	if (fd < 0 || !conversation_read(d, fd))
		return false;
	auto_close_fn(&d->fd);
	d->fd = take_fd(&fd);
	free(d->path);
	d->path = take_ptr(path);
	transcript_release(&d->transcript);
	diary_transcript_begin(d);
	while (d->sought.len > 0 && diary_file_read(d, 1))
		;
	return true;
}

static bool
file_is_new(const struct diary *d, const char *name)
{
	size_t len = strlen(name);

	return len > strlen(SUFFIX) && strcmp(name + len - strlen(SUFFIX), SUFFIX) == 0 &&
	       !(d->known != NULL && bsearch(&name, d->known, strlist_len(d->known),
					 sizeof(*d->known), strlist_compare) != NULL);
}

static void
files_try(struct diary *d)
{
	AUTO_STRLIST list = diary_list(d);

	for (char **name = list; name != NULL && *name != NULL; name++)
		if (file_is_new(d, *name) && file_try(d, *name))
			return;
}

/* Looks for the prompt in the file that we have, then in files that were not there before. */
static void
conversation_find(struct diary *d)
{
	if (d->fd >= 0)
		while (d->sought.len > 0 && diary_file_read(d, 1))
			;
	if (d->sought.len > 0)
		files_try(d);
	if (d->sought.len > 0 || d->fd < 0)
		return;
	watcher_turn(&d->k->watcher);
	if (d->notify_fd >= 0)
		watch_move(d, file_watch(d));
}

static void
dir_watch(struct diary *d)
{
	AUTO_FREE char *dir = fs_parent(d->path);

	if (d->notify_fd >= 0)
		watch_move(d, inotify_add_watch(d->notify_fd, dir,
				  IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_ONLYDIR));
}

/* ---- looking ------------------------------------------------------------------------- */

static void diary_timer(struct ev_timer *t);

static bool
is_missing(const struct diary *d)
{
	return d->fd < 0 || d->sought.len > 0;
}

static void
diary_look(struct diary *d)
{
	bool more;

	if (d->lost)
		return;
	if (d->sought.len > 0)
		conversation_find(d);
	else if (d->fd < 0)
		diary_file_find(d);
	more = !is_missing(d) && diary_file_read(d, CHUNKS_AT_ONCE);
	if (more)
		ev_timer_in(d->k->ev, &d->timer, 0, diary_timer, d);
	else if (d->notify_fd < 0)
		ev_timer_in(d->k->ev, &d->timer, POLL, diary_timer, d);
	else if (is_missing(d) && d->give_up)
		ev_timer_at(d->k->ev, &d->timer, d->give_up, diary_timer, d);
}

static void
diary_timer(struct ev_timer *t)
{
	struct diary *d = t->ctx;

	if (!is_missing(d) || !d->give_up || clock_boot() < d->give_up) {
		diary_look(d);
	} else if (d->sought.len > 0) {
		d->lost = true;
		watcher_alone(&d->k->watcher);
	} else {
		diary_close(d);
	}
}

static void
notify_readable(struct ev_io *io, uint32_t events UNUSED)
{
	struct diary *d = io->ctx;
	char told[4096];

	/* Discards the details: only the fact that something has happened counts. */
	while (read(d->notify_fd, told, sizeof(told)) > 0)
		;
	diary_look(d);
}

/* ---- life ---------------------------------------------------------------------------- */

/* A random UUID (version 4). */
static char *
uuid_new(void)
{
	char hex[33];

	text_random_hex(hex, 16);
	hex[12] = '4';
	hex[16] = "89ab"[hex[16] & 3];
	return xasprintf("%.8s-%.4s-%.4s-%.4s-%s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

void
diary_choose(struct diary *d, char *const *env)
{
	const struct keeper_spec *spec = &d->k->spec;

	d->id = uuid_new();
	d->path = profile_transcript_path(&d->k->profile, env, spec->cwd, d->id);
	if (d->path != NULL)
		diary_transcript_begin(d);
	else
		free(take_ptr(d->id));
}

void
diary_open(struct diary *d)
{
	if (d->path == NULL)
		return;
	d->notify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (d->notify_fd >= 0)
		ev_io_start(d->k->ev, &d->io, d->notify_fd, EPOLLIN, notify_readable, d);
	diary_look(d);
}

void
diary_seek(struct diary *d, const char *prompt, size_t len)
{
	if (d->path == NULL)
		return;
	/* Reads to the end: all lines that are there now belong to the last turn. */
	while (!d->lost && d->fd >= 0 && diary_file_read(d, CHUNKS_AT_ONCE))
		;
	d->lost = false;
	d->give_up = 0;
	buf_clear(&d->sought);
	echo_letters(prompt, len < SOUGHT_MAX ? len : SOUGHT_MAX, &d->sought);
	diary_know(d);
	if (d->sought.len > 0)
		dir_watch(d);
}

void
diary_lose(struct diary *d)
{
	if (d->path == NULL)
		return;
	d->lost = true;
	ev_timer_stop(&d->timer);
}

bool
diary_expected(const struct diary *d)
{
	return d->path != NULL && !d->lost;
}

bool
diary_tells(const struct diary *d, bool *over)
{
	*over = d->transcript.over;
	return d->path != NULL && !d->lost && !is_missing(d) && d->transcript.turns > 0;
}

void
diary_delivered(struct diary *d)
{
	if (d->path == NULL || !is_missing(d) || d->give_up)
		return;
	d->give_up = clock_boot() + (d->k->watcher.held ? APPEARS_BY_THEN : APPEARS);
	diary_look(d);
}

void
diary_missed(struct diary *d)
{
	int64_t at = clock_boot() + APPEARS_BY_THEN;

	if (d->path == NULL || !is_missing(d) || !d->give_up || d->give_up <= at)
		return;
	d->give_up = at;
	/* Without inotify the file is polled, and a poll sees the new `give_up`. */
	if (d->notify_fd >= 0)
		ev_timer_at(d->k->ev, &d->timer, at, diary_timer, d);
}

void
diary_close(struct diary *d)
{
	if (d->path == NULL)
		return;
	if (d->sought.len > 0)
		conversation_find(d);
	else if (d->fd < 0)
		(void)diary_file_open(d);
	while (d->fd >= 0 && diary_file_read(d, CHUNKS_AT_ONCE))
		;
	ev_timer_stop(&d->timer);
	notify_close(d);
	auto_close_fn(&d->fd);
	transcript_release(&d->transcript);
	buf_release(&d->sought);
	strlist_free(d->known);
	d->known = NULL;
	free(d->id);
	free(d->path);
	d->id = d->path = NULL;
	watcher_alone(&d->k->watcher);
}

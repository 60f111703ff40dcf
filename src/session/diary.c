/*
 * diary.c - the agent's own record of its conversation, read while it grows.
 *
 * The id is ours, so the file's name is known before the agent starts; neither the file nor the
 * directories on the way to it need be there yet.  Where inotify is not to be had (its
 * instances are few) the file is looked at now and then.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#define APPEARS (20 * NSEC_PER_SEC) /* after the prompt, or never */
/* The same when the screen has what was looked for: the file is there some tenths of a second
 * after the prompt, long before the answer. */
#define APPEARS_BY_THEN (2 * NSEC_PER_SEC)
#define POLL (500 * NSEC_PER_MSEC)
#define CHUNK 65536
#define CHUNKS_AT_ONCE 64 /* then others have their turn */
#define STEPS_MAX 64	  /* of a way that is being made while we look at it */

/* -------------------------------------------------------------- file */

static void
line_said(void *ctx, const char *line, size_t len)
{
	struct diary *d = ctx;

	watcher_said(&d->k->watcher, line, len);
}

/* Returns whether more is left. */
static bool
file_read(struct diary *d, int chunks)
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
		if (d->transcript.turns != turns)
			watcher_turn(&d->k->watcher);
	}
	return true;
}

static bool
file_open(struct diary *d)
{
	AUTO_CLOSE int fd = open(d->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return false;
	d->fd = take_fd(&fd);
	return true;
}

/* ----------------------------------------------------------- watching */

static void
notify_close(struct diary *d)
{
	if (d->notify_fd < 0)
		return;
	ev_io_stop(&d->io);
	close(d->notify_fd);
	d->notify_fd = d->watch = -1;
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

/* The deepest directory on the way to the file that is there. */
static int
way_watch(const struct diary *d)
{
	AUTO_FREE char *dir = xstrdup(d->path);
	char *slash;
	int watch = -1;

	while (watch < 0 && (slash = strrchr(dir, '/'))) {
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

/* What comes to be between a look and the watch is seen by the next look. */
static void
file_find(struct diary *d)
{
	bool found = file_open(d);

	for (int i = 0; !found && d->notify_fd >= 0 && i < STEPS_MAX; i++) {
		int before = d->watch;

		watch_move(d, way_watch(d));
		found = file_open(d);
		if (d->watch == before)
			break;
	}
	if (found && d->notify_fd >= 0)
		watch_move(d, file_watch(d));
}

static void diary_timer(struct ev_timer *t);

static void
diary_look(struct diary *d)
{
	bool more;

	if (d->fd < 0)
		file_find(d);
	more = d->fd >= 0 && file_read(d, CHUNKS_AT_ONCE);
	if (more)
		ev_timer_in(d->k->ev, &d->timer, 0, diary_timer, d);
	else if (d->notify_fd < 0)
		ev_timer_in(d->k->ev, &d->timer, POLL, diary_timer, d);
	else if (d->fd < 0 && d->give_up)
		ev_timer_at(d->k->ev, &d->timer, d->give_up, diary_timer, d);
}

static void
diary_timer(struct ev_timer *t)
{
	struct diary *d = t->ctx;

	if (d->fd < 0 && d->give_up && clock_boot() >= d->give_up)
		diary_close(d);
	else
		diary_look(d);
}

static void
notify_readable(struct ev_io *io, uint32_t events UNUSED)
{
	struct diary *d = io->ctx;
	char told[4096];

	/* Only that something has happened counts. */
	while (read(d->notify_fd, told, sizeof(told)) > 0)
		;
	diary_look(d);
}

/* -------------------------------------------------------------- life */

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

	if (!d->k->watcher.done && spec->stall_timeout <= 0)
		return;
	d->id = uuid_new();
	d->path = profile_transcript(&d->k->profile, env, spec->cwd, d->id);
	if (d->path) {
		transcript_init(&d->transcript, line_said, d);
	} else {
		free(d->id);
		d->id = NULL;
	}
}

void
diary_open(struct diary *d)
{
	if (!d->path)
		return;
	d->notify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (d->notify_fd >= 0)
		ev_io_start(d->k->ev, &d->io, d->notify_fd, EPOLLIN, notify_readable, d);
	diary_look(d);
}

void
diary_delivered(struct diary *d)
{
	if (!d->path)
		return;
	d->give_up = clock_boot() + (d->k->watcher.held ? APPEARS_BY_THEN : APPEARS);
	diary_look(d);
}

void
diary_missed(struct diary *d)
{
	int64_t at = clock_boot() + APPEARS_BY_THEN;

	if (!d->path || d->fd >= 0 || !d->give_up || d->give_up <= at)
		return;
	d->give_up = at;
	/* Whoever looks now and then will see it. */
	if (d->notify_fd >= 0)
		ev_timer_at(d->k->ev, &d->timer, at, diary_timer, d);
}

void
diary_close(struct diary *d)
{
	if (!d->path)
		return;
	if (d->fd < 0)
		(void)file_open(d);
	while (d->fd >= 0 && file_read(d, CHUNKS_AT_ONCE))
		;
	ev_timer_stop(&d->timer);
	notify_close(d);
	auto_close_fn(&d->fd);
	d->fd = -1;
	transcript_release(&d->transcript);
	free(d->id);
	free(d->path);
	d->id = d->path = NULL;
	watcher_alone(&d->k->watcher);
}

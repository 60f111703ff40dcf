/*
 * attempt.c - a ticket's session: how it is made, and what it left.
 */
#include "work/tickets/dispatch.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "ticket/ticket.h"
#include "work/tickets/errand.h"
#include "work/tickets/lander.h"
#include "work/tickets/project.h"
#include <errno.h>
#include <fcntl.h>

#define LESSON_MAX ((size_t)64 * 1024)
#define LESSONS_FILE_MAX ((size_t)4 << 20)
#define LESSONS_ADDED "lessons-added.md"
#define LESSONS_BEFORE "lessons-before.md" /* in the session's directory */

/* ---- making the session ---------------------------------------------------------- */

/* Path of a file in the session's own directory: when the file is read, a worktree may be
 * gone. */
static char *
session_path(const struct running *r, const char *session, const char *name)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", r->sessions_dir);
	AUTO_FREE char *dir = realpath(link, NULL);

	return xasprintf("%s/%s/%s", dir == NULL ? "." : dir, session, name);
}

static char *
lessons_path(const struct running *r, const char *place)
{
	AUTO_FREE char *root = errand_root(&r->settings, place);

	return xasprintf("%s/" PROJECT_DIR "/AGENTS.md", root);
}

static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Reads the project's lessons in a tree; NULL: none.  A link that only the agent's tree has is
 * not followed: the agent may have pointed it at any file. */
static char *
lessons_in(const struct running *r, const char *place)
{
	AUTO_FREE char *path = lessons_path(r, place);
	AUTO_FREE char *own = lessons_path(r, r->settings.top);
	AUTO_BUF text = BUF_INIT;

	if ((is_link(path) && !is_link(own)) ||
	    fs_read(AT_FDCWD, path, LESSONS_FILE_MAX, &text, NULL) < 0)
		return NULL;
	return buf_detach(&text);
}

/* Saves the lessons that the agent started with, so that lines added by the agent count as its
 * lessons. */
static void
lessons_remember(struct running *r, const char *session, const char *lessons)
{
	AUTO_CLOSE int dir = fs_open_dir(r->sessions_dir, session, NULL);

	if (dir >= 0)
		(void)!fs_replace(
		    dir, LESSONS_BEFORE, lessons, strlen(lessons), FS_NOSYNC, NULL);
}

/* Begins the session of a ticket in `place` (NULL: in the project itself). */
static void
attempt_begin(struct running *r, const struct effect *e, const struct lander_place *place)
{
	const struct settings *s = &r->settings;
	AUTO_FREE char *failure = tickets_last_failure(r, e->task);
	AUTO_FREE char *lesson = session_path(r, e->session, "lesson.md");
	AUTO_FREE char *before = NULL;
	AUTO_FREE char *file = NULL;
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF template = BUF_INIT;
	struct err err = ERR_INIT;
	const struct ticket *t;
	struct errand errand;

	if (r->source->ops->brief(r->source, e->task, &text, &err) < 0 ||
	    (s->prompt_file != NULL && prompt_read(s->prompt_file, &template, &err) < 0)) {
		running_cannot_start(r, e, err.text);
		return;
	}
	/* The last failure may have been in the run that left the worktree. */
	if (failure == NULL && place != NULL && place->why_kept != NULL)
		failure = xstrdup(place->why_kept);
	t = tickets_source_find(r->source, e->task);
	file = xasprintf("%s/%s.md", s->tickets, t->name);
	errand_init(&errand, &(struct errand_spec){
				 .settings = s,
				 .effect = e,
				 .title = t->title,
				 .file = file,
				 .text = &text,
				 .place = place == NULL ? NULL : place->path,
				 .template = s->prompt_file == NULL ? NULL : &template,
				 .lesson_file = lesson,
				 .last_failure = failure,
				 .resumed = place != NULL && place->resumed,
			     });
	if (place != NULL)
		tickets_view_place(dispatch_of(r)->view, e->session, place->path);
	/* Once the agent runs, its own lines may be among them. */
	before = place == NULL ? NULL : lessons_in(r, place->path);
	running_begin(r, e,
	    &(struct session_spec){.settings = &errand.settings, .prompt = &errand.prompt});
	if (before != NULL)
		lessons_remember(r, e->session, before);
	errand_release(&errand);
}

static void
on_place(struct running *r, const struct effect *e, const struct lander_place *place,
    const char *why)
{
	const struct loop_session *one = loop_find_session(&r->state, e->session);

	/* The session was ended while its place was being made. */
	if (one == NULL || one->state != SESSION_STARTING || r->fleeing)
		why = "it was ended before it began";
	if (why != NULL) {
		running_cannot_start(r, e, why);
	} else if (tickets_source_closed_there(r->source, e->task, place->path) &&
		   !place->resumed) {
		/* The branch that the worktree starts from says so, though this work tree does
		 * not yet: a loop in another worktree has landed the ticket there. */
		warning("%s: %s is closed on %s already", r->spec->name, e->task,
		    r->settings.branch);
		running_input(r, &(struct loop_input){.kind = IN_ENDED,
				     .session = e->session,
				     .exit = {EXIT_CODE, 0},
				     .closed = true});
	} else {
		attempt_begin(r, e, place);
	}
}

void
tickets_start(struct running *r, const struct effect *e)
{
	AUTO_FREE char *lock = session_path(r, e->session, SESSION_LOCK);
	struct err err = ERR_INIT;
	int rc = tickets_source_claim(r->source, e->task, lock, &err);

	/* When another loop has the ticket, the loop asks for others. */
	if (rc > 0)
		running_input(r, &(struct loop_input){.kind = IN_TAKEN, .session = e->session});
	else if (rc < 0)
		running_start_later(r, e->session, err.text);
	else if (r->settings.worktrees)
		lander_prepare(r, e, on_place);
	else
		attempt_begin(r, e, NULL);
}

char *
tickets_own_place(const struct running *r, const char *session)
{
	char *cwd = r->settings.worktrees ? session_cwd(r->sessions_dir, session) : NULL;
	size_t len = cwd == NULL ? 0 : strlen(cwd);
	size_t tail = strlen(errand_prefix(&r->settings));

	if (tail > 0 && len > tail)
		cwd[len - tail - 1] = '\0';
	return cwd;
}

char *
tickets_place(const struct running *r, const char *session, const char *task)
{
	const struct settings *s = &r->settings;
	AUTO_FREE char *own = tickets_own_place(r, session);
	AUTO_BUF name = BUF_INIT;

	if (!s->worktrees)
		return NULL;
	if (own != NULL)
		return take_ptr(own);
	ticket_slug(task, &name);
	return xasprintf("%s/%s", s->worktrees_dir, name.data);
}

/* ---- what the session left ------------------------------------------------------- */

bool
tickets_session_closed(struct running *r, const char *session)
{
	const struct loop_session *one = loop_find_session(&r->state, session);
	AUTO_FREE char *place = NULL;

	if (one == NULL || r->source == NULL)
		return false;
	place = tickets_place(r, session, one->task);
	return r->source->ops->closed(r->source, one->task, place);
}

/* The text behind "Summary:" at a line's beginning; NULL. */
static char *
summary_in(const char *text)
{
	static const char key[] = "\nSummary:";
	const char *at = text == NULL					? NULL
			 : strncmp(text, key + 1, strlen(key + 1)) == 0 ? text
									: strstr(text, key);

	if (at == NULL)
		return NULL;
	at += strspn(at, "\n") + strlen(key + 1);
	at += strspn(at, " \t");
	return xstrndup(at, strcspn(at, "\n"));
}

static bool
is_heading(const char *line)
{
	return strncmp(line, "## ", 3) == 0 || strncmp(line, "### ", 4) == 0;
}

/* The text below "## Lessons Learned", up to the next heading; NULL: none. */
static char *
lesson_in(const char *text)
{
	AUTO_BUF out = BUF_INIT;
	bool inside = false;

	for (const char *line = text; line != NULL && *line != '\0';) {
		size_t len = strcspn(line, "\n");

		if (is_heading(line))
			inside = strstr(line, "Lessons Learned") != NULL &&
				 strstr(line, "Lessons Learned") < line + len;
		else if (inside)
			buf_add(&out, line, len + (line[len] == '\n'));
		line += len + (line[len] == '\n');
	}
	return out.len == 0 ? NULL : buf_detach(&out);
}

/* Reads a text that the agent of that ticket left for our files; NULL when there is none.  A
 * text that is too long, a link or no file is not taken, which is said. */
static char *
attempt_read_text(const struct running *r, int dir, const char *path, const char *task)
{
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;

	if (fs_read_own(dir, path, LESSON_MAX, &text, &err) == 0)
		return text.len == 0 ? NULL : buf_detach(&text);
	if (err.code == ELOOP)
		warning("%s: %s: not taken, for it is a link: %s", r->spec->name, task, path);
	else if (err.code != ENOENT && err.code != ENOTDIR)
		warning("%s: %s: not taken: %s", r->spec->name, task, err.text);
	return NULL;
}

/* Reads the summary that agents write where the original looks for it:
 * KNOWLEDGE/tickets/ID/close-summary.md. */
static char *
close_summary(const struct running *r, const char *place, const char *task)
{
	const char *below =
	    r->settings.knowledge == NULL ? ".tf/knowledge" : r->settings.knowledge;
	AUTO_FREE char *root = errand_root(&r->settings, place);
	AUTO_FREE char *path =
	    xasprintf("%s/%s/tickets/%s/close-summary.md", root, below, task);

	if (!ticket_id_is_safe(task))
		return NULL;
	return attempt_read_text(r, AT_FDCWD, path, task);
}

/* Joins lessons.  "**Lesson**:" marks the beginning of a single lesson
 * (work/tickets/views/lessons.c), so joined lessons lose this mark. */
static char *
lessons_join(const char *a, const char *b)
{
	AUTO_FREE char *both = xasprintf("%s%s%s", a, *a == '\0' ? "" : "\n", b);
	AUTO_BUF plain = BUF_INIT;
	const char *first = strstr(both, "**Lesson**:");

	if (first == NULL ||
	    (*a == '\0' && *both == '*' && strstr(first + 1, "**Lesson**:") == NULL))
		return xstrdup(both);
	for (const char *p = both; *p != '\0'; p++)
		if (strncmp(p, "**", 2) == 0)
			p++;
		else
			buf_addc(&plain, *p);
	return buf_detach(&plain);
}

static bool
has_text_line(const char *text, const char *line, size_t len)
{
	while (text != NULL && *text != '\0') {
		size_t n = strcspn(text, "\n");

		if (n == len && memcmp(text, line, len) == 0)
			return true;
		text += n + (text[n] == '\n');
	}
	return false;
}

/* Is the line a frame around lessons, and no lesson? */
static bool
attempt_is_frame(const char *line, size_t len)
{
	return len == 0 || *line == '#' || (len >= 3 && strncmp(line, "---", 3) == 0);
}

/* Returns the lines that the agent added to AGENTS.md of its tree, as the header of that file
 * asks.  The file is not merged, since every agent writes to it, but the lessons are not lost.
 * NULL: none. */
static char *
lesson_added(const struct running *r, const struct effect *e, const char *place)
{
	AUTO_FREE char *before_file = xasprintf("%s/" LESSONS_BEFORE, e->session);
	AUTO_FREE char *after = lessons_in(r, place);
	AUTO_FREE char *project = lessons_in(r, r->settings.top);
	AUTO_BUF before = BUF_INIT;
	AUTO_BUF out = BUF_INIT;

	(void)!fs_read(r->sessions_dir, before_file, LESSONS_FILE_MAX, &before, NULL);
	for (const char *line = after; line != NULL && *line != '\0';) {
		size_t len = strcspn(line, "\n");

		if (!attempt_is_frame(line, len) && !has_text_line(before.data, line, len) &&
		    !has_text_line(project, line, len) && out.len + len < LESSON_MAX)
			buf_addf(&out, "%.*s\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
	return out.len == 0 ? NULL : buf_detach(&out);
}

/* As lesson_added, but the result is saved: after a crash of ours the tree may be gone. */
static char *
lesson_of_place(const struct running *r, const struct effect *e, const char *place)
{
	AUTO_CLOSE int dir =
	    place == NULL ? -1 : fs_open_dir(r->sessions_dir, e->session, NULL);
	char *text = dir < 0 ? NULL : lesson_added(r, e, place);
	AUTO_BUF known = BUF_INIT;

	if (text != NULL)
		(void)!fs_replace(dir, LESSONS_ADDED, text, strlen(text), FS_SYNC, NULL);
	else if (dir >= 0 && fs_read(dir, LESSONS_ADDED, LESSON_MAX, &known, NULL) == 0)
		text = buf_detach(&known);
	return text;
}

/* Collects summary and lessons that the agent left, for the views. */
static void
attempt_collect(struct running *r, const struct effect *e)
{
	AUTO_FREE char *place = tickets_place(r, e->session, e->task);
	AUTO_FREE char *told = close_summary(r, place, e->task);
	AUTO_FREE char *summary = summary_in(told);
	AUTO_FREE char *own_file = xasprintf("%s/lesson.md", e->session);
	AUTO_FREE char *added = lesson_of_place(r, e, place);
	AUTO_FREE char *lesson = attempt_read_text(r, r->sessions_dir, own_file, e->task);
	AUTO_FREE char *both = NULL;

	if (lesson == NULL)
		lesson = lesson_in(told);
	if (added != NULL)
		both = lessons_join(lesson == NULL ? "" : lesson, added);
	tickets_view_note(
	    dispatch_of(r)->view, e->session, summary, both == NULL ? lesson : both);
}

/* A supervisor that died before landing has lost its claim: somebody else may work on the
 * ticket by now.  Then this work is kept, not landed. */
static bool
attempt_is_anothers(struct running *r, const struct effect *e)
{
	AUTO_FREE char *place = tickets_place(r, e->session, e->task);
	struct err err = ERR_INIT;
	char text[TEXT_MAX];
	int rc = r->source == NULL ? 0 : tickets_source_claim(r->source, e->task, NULL, &err);

	/* A ledger that was not written is written with the next change; the work lands. */
	if (rc < 0)
		warning("%s: %s: its claim: %s", r->spec->name, e->task, err.text);
	if (rc <= 0)
		return false;
	(void)snprintf(text, sizeof(text), "cannot land: %.*s; what it did is kept%s%.*s",
	    TEXT_MAX / 2 - 30, err.text, place == NULL ? "" : " in ", TEXT_MAX / 2 - 30,
	    place == NULL ? "" : place);
	running_input(r, &(struct loop_input){.kind = IN_LANDED,
			     .session = e->session,
			     .verdict = VERDICT_FAILED,
			     .fate = FATE_KEPT,
			     .text = text});
	return true;
}

void
tickets_land(struct running *r, const struct effect *e)
{
	if (attempt_is_anothers(r, e))
		return;
	attempt_collect(r, e);
	lander_land(r, e);
}

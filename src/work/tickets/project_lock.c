/*
 * project_lock.c - who works in the project.
 */
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/process/proc.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

#define LOCK_FILE "dispatch-loop.lock"
#define PYTHON_LOCK_FILE "lock"
#define CONTENT_MAX ((size_t)4096)
#define PID_LIMIT (INT64_C(1) << 22) /* the kernel's own */
/* Between a process's start and the moment it writes its lock, and for coarse clocks. */
#define SLACK (2 * NSEC_PER_SEC)

/* The owner, as a lock file describes it. */
struct owner {
	const char *program;
	char run_id[72];
	int64_t pid;
	char since[40];
	bool ours; /* the content is of this program, so that only flock counts */
};

static int
project_lock_refuse(struct err *err, const char *who)
{
	return err_code(err, EWOULDBLOCK, "another loop is active in this project: %s", who);
}

/* ---- what a lock says ---------------------------------------------------------------- */

static void
project_lock_describe(const struct owner *o, struct buf *out)
{
	buf_adds(out, o->program);
	if (o->run_id[0] != '\0') {
		buf_adds(out, " run ");
		text_show(out, o->run_id, strlen(o->run_id), false);
	}
	buf_addf(out, " (pid %" PRId64, o->pid);
	if (o->since[0] != '\0') {
		buf_adds(out, ", since ");
		clock_show(o->since, strlen(o->since), out);
	}
	buf_addc(out, ')');
}

/* The content has our start time and boot, which mark it as ours: a program that writes these
 * uses flock, too. */
static void
content_print(const char *run_id, struct buf *out)
{
	struct proc_id self = {.pid = getpid()};
	AUTO_BUF now = BUF_INIT;
	AUTO_JSON *v = NULL;

	(void)proc_id_self(&self);
	clock_fmt_rfc3339(clock_wall(), &now);
	v = json_pack("{s:o, s:i, s:s, s:I, s:s}", "runId", json_text(run_id, strlen(run_id)),
	    "pid", (int)self.pid, "startedAt", now.data, "startTime",
	    (json_int_t)self.start_time, "bootId", self.boot_id);
	ENSURE(v != NULL);
	json_print(v, true, out);
	buf_addc(out, '\n');
}

/* ---- reading a lock ------------------------------------------------------------------ */

static int64_t
pid_or_none(int64_t pid)
{
	return pid > 0 && pid <= PID_LIMIT ? pid : 0;
}

static bool
parse_json(const struct buf *content, struct owner *o)
{
	AUTO_JSON *v = json_parse(content->data, content->len, LOCK_FILE, NULL);

	*o = (struct owner){.program = "ralph loop"};
	if (!json_is_object(v))
		return false;
	o->pid = pid_or_none(json_int(v, "pid", 0));
	o->ours =
	    json_object_get(v, "startTime") != NULL && json_object_get(v, "bootId") != NULL;
	(void)snprintf(o->run_id, sizeof(o->run_id), "%s", json_str(v, "runId", ""));
	(void)snprintf(o->since, sizeof(o->since), "%s", json_str(v, "startedAt", ""));
	return true;
}

/* "<pid> <time>" */
static bool
parse_python(const struct buf *content, struct owner *o)
{
	char *end;
	int64_t pid;

	*o = (struct owner){.program = "tf ralph"};
	errno = 0;
	pid = strtoll(content->data, &end, 10);
	if (end == content->data || errno != 0)
		return false;
	o->pid = pid_or_none(pid);
	end += strspn(end, " ");
	(void)snprintf(o->since, sizeof(o->since), "%.*s", (int)strcspn(end, " \r\n"), end);
	return o->pid != 0;
}

/* Returns since when the process runs, on the wall clock. */
static int64_t
process_birth(const struct proc_id *id)
{
	int64_t ticks = sysconf(_SC_CLK_TCK);
	int64_t boot = (int64_t)id->start_time * (NSEC_PER_SEC / (ticks > 0 ? ticks : 100));

	return clock_wall() - (clock_boot() - boot);
}

static bool
pid_lives(const struct owner *o, struct proc_id *id)
{
	return o->pid > 0 && proc_id_of((pid_t)o->pid, id) == 0 && proc_id_alive(id);
}

/* Is the process that a lock without flock names the one that wrote it?  When in doubt, yes. */
static bool
owner_lives(const struct owner *o)
{
	struct proc_id id;
	int64_t since;

	return !o->ours && o->pid != getpid() && pid_lives(o, &id) &&
	       (clock_parse(o->since, &since) < 0 || process_birth(&id) <= since + SLACK);
}

/* Reads the content: 1 when there is any, 0 when not. */
static int
content_read(int dir, const char *name, struct buf *out, struct err *err)
{
	struct err why = ERR_INIT;

	buf_clear(out);
	if (fs_read(dir, name, CONTENT_MAX, out, &why) == 0)
		return strspn(out->data, " \t\r\n") < out->len;
	return why.code == ENOENT ? 0 : err_pass(err, &why);
}

/* ---- who is there -------------------------------------------------------------------- */

/* Describes the owner of a lock that is held, by the content of the lock. */
static void
holder_describe(int dir, struct buf *who)
{
	AUTO_BUF content = BUF_INIT;
	struct owner o;

	if (content_read(dir, LOCK_FILE, &content, NULL) > 0 && parse_json(&content, &o))
		project_lock_describe(&o, who);
	else
		buf_adds(who, "ralph loop");
}

typedef bool parse_fn(const struct buf *content, struct owner *o);

/* Does the owner that a lock without flock names live?  1, and who; not if it is of the run
 * `run_id` (NULL: no run). */
static int
owner_busy(int dir, const char *name, parse_fn *parse, const char *run_id, struct buf *who,
    struct err *err)
{
	AUTO_BUF content = BUF_INIT;
	struct owner o;
	int rc = content_read(dir, name, &content, err);

	if (rc <= 0)
		return rc;
	if (!parse(&content, &o) || !owner_lives(&o) ||
	    (run_id != NULL && strcmp(o.run_id, run_id) == 0))
		return 0;
	project_lock_describe(&o, who);
	return 1;
}

/* Does somebody work in the project?  A lock of the run `run_id` itself is no obstacle; NULL:
 * no run. */
static int
project_lock_busy(int dir, const char *run_id, struct buf *who, struct err *err)
{
	int rc;

	lock_await_heirs(dir, LOCK_FILE);
	rc = lock_is_held(dir, LOCK_FILE, err);
	if (rc > 0)
		holder_describe(dir, who);
	if (rc == 0)
		rc = owner_busy(dir, LOCK_FILE, parse_json, run_id, who, err);
	if (rc == 0)
		rc = owner_busy(dir, PYTHON_LOCK_FILE, parse_python, NULL, who, err);
	return rc;
}

int
project_busy(const char *root, struct buf *who, struct err *err)
{
	AUTO_CLOSE int dir = project_open(root, err);

	return dir < 0 ? -1 : project_lock_busy(dir, NULL, who, err);
}

/* ---- taking the lock ----------------------------------------------------------------- */

/* Notes that the lock of an owner that is gone was replaced.  A lock of our own run gets no
 * note. */
static void
note_stale(const struct buf *content, const char *run_id, struct buf *notes)
{
	struct proc_id id;
	struct owner o;

	if (!parse_json(content, &o)) {
		buf_adds(notes, "a lock that could not be read was replaced\n");
	} else if (strcmp(o.run_id, run_id) != 0) {
		buf_adds(notes, "stale lock of run ");
		text_show(notes, o.run_id, strlen(o.run_id), false);
		buf_addf(notes, " (pid %" PRId64 " is %s) replaced\n", o.pid,
		    pid_lives(&o, &id) ? "another process now" : "gone");
	}
}

int
project_lock(const char *root, const char *run_id, struct buf *notes, struct err *err)
{
	AUTO_CLOSE int dir = project_open(root, err);
	AUTO_BUF who = BUF_INIT;
	AUTO_BUF before = BUF_INIT;
	AUTO_BUF content = BUF_INIT;
	struct err why = ERR_INIT;
	int rc, fd;

	if (dir < 0)
		return -1;
	rc = project_lock_busy(dir, run_id, &who, err);
	if (rc != 0)
		return rc < 0 ? -1 : project_lock_refuse(err, who.data);
	rc = content_read(dir, LOCK_FILE, &before, err);
	if (rc < 0)
		return -1;
	content_print(run_id, &content);
	fd = lock_take(dir, LOCK_FILE, 0, content.data, &why);
	if (fd < 0 && why.code == EWOULDBLOCK) {
		/* Somebody took the lock between our look and our attempt. */
		holder_describe(dir, &who);
		return project_lock_refuse(err, who.data);
	}
	if (fd < 0)
		return err_pass(err, &why);
	if (rc > 0)
		note_stale(&before, run_id, notes);
	return fd;
}

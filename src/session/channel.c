#include "session/channel.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "session/wire.h"
#include "watch/promise.h"
#include <errno.h>
#include <fcntl.h>

#define PATIENCE (10 * NSEC_PER_SEC)

int
channel_dial(struct err *err)
{
	const char *path = getenv("RALPH_WORKER");
	AUTO_FREE char *dir = xstrdup(path != NULL ? path : "");
	char *slash = strrchr(dir, '/');
	AUTO_CLOSE int dirfd = -1;

	if (slash == NULL)
		return err_set(
		    err, "this is for agents that ralph runs: RALPH_WORKER is not set");
	slash[slash == dir] = '\0';
	dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		return err_errno(err, "cannot find the session %s", dir);
	return wire_dial(dirfd, ROLE_WORKER, 0, 0, 0, err);
}

json_t *
channel_notice(int fd, struct err *err)
{
	AUTO_BUF data = BUF_INIT;
	enum wire_type type;
	json_t *notice;

	do
		if (wire_read_frame(fd, PATIENCE, &type, &data, err) < 0)
			return NULL;
	while (type != WIRE_NOTICE);
	notice = json_parse(data.data, data.len, "notice", err);
	if (notice == NULL || json_str(notice, "task", NULL) != NULL)
		return notice;
	json_decref(notice);
	(void)err_set(err, "this session has no task");
	return NULL;
}

/* "named" is for keepers of versions without tokens: they believe a speaker that names its
 * task. */
int
channel_about(json_t *notice, const char *task, const char *token, bool filed, struct err *err)
{
	const char *now = json_str(notice, "task", "");

	if (task != NULL && strcasecmp(task, now) != 0)
		return err_set(
		    err, "%s is not the task of the session any more: that is %s", task, now);
	if (token != NULL)
		ENSURE(
		    json_object_set_new(notice, "token", json_text(token, strlen(token))) == 0);
	ENSURE(json_object_set_new(notice, "filed", json_boolean(filed)) == 0 &&
	       json_object_set_new(
		   notice, "named", json_boolean(task != NULL || token != NULL)) == 0);
	return 0;
}

/* Skips notices, which may come at any time. */
static int
answer_read(int fd, struct err *err)
{
	AUTO_BUF data = BUF_INIT;
	enum wire_type type;

	do
		if (wire_read_frame(fd, PATIENCE, &type, &data, err) < 0)
			return -1;
	while (type != WIRE_OK && type != WIRE_ERROR);
	return type == WIRE_OK ? 0 : err_set(err, "%s", data.data);
}

static int
word_send(int fd, enum wire_type type, const json_t *notice, enum signal_kind kind,
    const char *text, struct err *err)
{
	struct promise cut;
	AUTO_BUF frame = BUF_INIT;
	AUTO_JSON *v = NULL;

	/* Cuts the text to the size of a frame; the session cuts it once more, by its own
	 * rules. */
	(void)promise_fill(&cut, PROMISE_STUCK, text, strlen(text));
	v = json_pack("{s:s, s:I, s:s, s:b, s:b, s:s*, s:o}", "signal", signal_name(kind),
	    "turn", (json_int_t)json_int(notice, "turn", 0), "task",
	    json_str(notice, "task", ""), "named", json_bool(notice, "named", false), "filed",
	    json_bool(notice, "filed", false), "token", json_str(notice, "token", NULL), "text",
	    json_text(cut.text, strlen(cut.text)));
	if (v == NULL)
		return err_set(err, "this is nothing that can be said");
	json_print(v, true, &frame);
	if (wire_write_frame(fd, type, frame.data, frame.len, err) < 0)
		return -1;
	return answer_read(fd, err);
}

int
channel_may(
    int fd, const json_t *notice, enum signal_kind kind, const char *text, struct err *err)
{
	if (json_object_get(notice, "bare") == NULL)
		return 0;
	return word_send(fd, WIRE_ASK, notice, kind, text, err);
}

int
channel_say(
    int fd, const json_t *notice, enum signal_kind kind, const char *text, struct err *err)
{
	return word_send(fd, WIRE_SAY, notice, kind, text, err);
}

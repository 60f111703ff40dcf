/*
 * signals.c - the signals of a session, once and in order: on disk, in memory, to supervisors.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"

#define SIGNAL_TEXT_MAX 2000

/*
 * A full disk must not keep the supervisor from hearing a signal: then the signal is only sent.
 *
 * A signal is written before it is sent, and so survives our death and that of the supervisor.
 * A power cut is another matter: a supervisor that listens syncs the signal in its journal
 * before it acts on the signal, and waiting for the same disk here would only double the time
 * until then.  When nobody listens, this file is the only record, so it is synced.
 */
static void
signal_write(struct keeper *k, const json_t *event)
{
	enum fs_sync sync = clients_supervised(k) ? FS_NOSYNC : FS_SYNC;
	AUTO_BUF line = BUF_INIT;
	struct err err = ERR_INIT;

	if (k->signals_fd < 0)
		k->signals_fd = fs_open_append(k->dirfd, "signals.jsonl", &err);
	if (k->signals_torn)
		buf_addc(&line, '\n');
	json_print(event, true, &line);
	buf_addc(&line, '\n');
	if (k->signals_fd < 0 ||
	    fs_append(k->signals_fd, "signals.jsonl", line.data, line.len, sync, &err) < 0) {
		k->signals_torn = true;
		warning("%s", err.text);
	} else {
		k->signals_torn = false;
		k->signals_late = sync == FS_NOSYNC;
	}
}

void
keeper_unheard(struct keeper *k)
{
	struct err err = ERR_INIT;

	if (!k->signals_late || k->state == KEEPER_OVER)
		return;
	k->signals_late = false;
	if (fs_append(k->signals_fd, "signals.jsonl", "", 0, FS_SYNC, &err) < 0)
		warning("%s", err.text);
}

/* Signals that come as often as they happen, where there are tasks. */
#define REPEATED                                                                             \
	(1u << SIGNAL_DONE | 1u << SIGNAL_IDLE | 1u << SIGNAL_STUCK | 1u << SIGNAL_BLOCKED | \
	    1u << SIGNAL_PROGRESS | 1u << SIGNAL_DELIVERED | 1u << SIGNAL_TOLD |             \
	    1u << SIGNAL_ACTIVE)

void
keeper_signal(struct keeper *k, enum signal_kind kind, const char *text)
{
	keeper_signal_until(k, kind, text, 0);
}

void
keeper_signal_until(struct keeper *k, enum signal_kind kind, const char *text, int64_t resets)
{
	json_t *event;

	if (k->raised & 1u << kind && !(k->turn.task != NULL && REPEATED & 1u << kind))
		return;
	k->raised |= 1u << kind;
	event = json_pack("{s:s, s:I, s:s, s:o}", "event", "signal", "seq",
	    (json_int_t)k->nevents + 1, "signal", signal_name(kind), "text",
	    json_text(text, strnlen(text, SIGNAL_TEXT_MAX)));
	ENSURE(event != NULL);
	if (resets > 0)
		ENSURE(json_object_set_new(event, "resets", json_integer(resets)) == 0);
	if (k->turn.task != NULL)
		ENSURE(json_object_set_new(event, "turn", json_integer(k->turn.number)) == 0);
	k->events = xgrow(k->events, k->nevents, &k->events_cap, sizeof(json_t *));
	k->events[k->nevents++] = event;
	signal_write(k, event);
	keeper_tell(k, event);
}

#include "work/tickets/ledger.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/strmap.h"
#include "base/text.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define LEDGER_MAX ((size_t)64 << 20)

enum doubt { BELIEVED, PENDING, DOUBTFUL };

struct ledger_entry {
	enum ticket_status status; /* of the ticket, as it is believed to be */
	enum doubt doubt;	   /* about the file, which says something else */
	bool settled;		   /* a loop completed the ticket, even if the merge waits */
	bool opened;		   /* the ticket was seen with a status other than closed */
	char since[32];		   /* when the status was believed first, as claims write it */
	char id[];
};

struct ledger {
	int dir; /* -1: only in memory */
	struct strmap entries;
	char **busy;   /* tickets of our agents; NULL */
	char **former; /* tickets of agents of a former life, until the first look; NULL */
	bool worked;   /* an agent may have been at work since the last look */
	bool apart;
	bool changed;		 /* since the ledger was written */
	char **put_back, **news; /* NULL */
};

struct ledger *
ledger_new(void)
{
	struct ledger *l = xcalloc(1, sizeof(*l));

	l->dir = -1;
	return l;
}

void
ledger_free(struct ledger *l)
{
	if (l == NULL)
		return;
	for (size_t i = 0; i < l->entries.cap; i++)
		if (l->entries.slots[i].key != NULL)
			free(l->entries.slots[i].value);
	strmap_release(&l->entries);
	strlist_free(l->busy);
	strlist_free(l->former);
	strlist_free(l->put_back);
	strlist_free(l->news);
	free(l);
}

static struct ledger_entry *
ledger_entry_add(struct ledger *l, const char *id)
{
	size_t size = strlen(id) + 1;
	struct ledger_entry *e = xcalloc(1, sizeof(*e) + size);

	memcpy(e->id, id, size);
	free(strmap_put(&l->entries, e->id, e));
	return e;
}

/* "a, b", in order. */
static void
ledger_add_names(struct buf *out, char **ids)
{
	size_t n = strlist_len(ids);

	if (n > 0)
		qsort(ids, n, sizeof(*ids), strlist_compare);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%s", i == 0 ? "" : ", ", ids[i]);
}

/* ---- on disk ------------------------------------------------------------------------- */

static json_t *
entry_to_json(const struct ledger_entry *e)
{
	json_t *v =
	    json_pack("{s:s, s:s}", "status", ticket_status_name(e->status), "since", e->since);

	ENSURE(v != NULL);
	if (e->doubt != BELIEVED)
		json_put(v, "doubt", e->doubt == PENDING ? "pending" : "doubtful");
	if (e->settled)
		(void)json_object_set_new(v, "settled", json_true());
	if (e->opened)
		(void)json_object_set_new(v, "opened", json_true());
	return v;
}

static int
ledger_save(struct ledger *l, struct err *err)
{
	json_t *tickets = json_object();
	AUTO_JSON *v = json_pack("{s:o, s:b, s:b, s:o, s:o}", "busy", json_strlist(l->busy),
	    "worked", l->worked, "apart", l->apart, "put_back", json_strlist(l->put_back),
	    "tickets", tickets);
	AUTO_BUF text = BUF_INIT;

	ENSURE(v != NULL);
	if (l->dir < 0)
		return 0;
	for (size_t i = 0; i < l->entries.cap; i++)
		if (l->entries.slots[i].key != NULL)
			(void)json_object_set_new(tickets, l->entries.slots[i].key,
			    entry_to_json(l->entries.slots[i].value));
	json_print(v, true, &text);
	if (fs_replace(l->dir, LEDGER_FILE, text.data, text.len, FS_SYNC, err) < 0)
		return -1;
	l->changed = false;
	return 0;
}

static void
ledger_entry_parse(struct ledger *l, const char *id, const json_t *v)
{
	struct ledger_entry *e = ledger_entry_add(l, id);
	int doubt = text_choice("|pending|doubtful", json_str(v, "doubt", ""));

	e->status = ticket_status_parse(json_str(v, "status", ""));
	e->settled = json_bool(v, "settled", false);
	e->opened = json_bool(v, "opened", false);
	(void)snprintf(e->since, sizeof(e->since), "%s", json_str(v, "since", ""));
	e->doubt = doubt < 0 ? BELIEVED : (enum doubt)doubt;
}

static void
ledger_load(struct ledger *l, struct buf *notes)
{
	struct err err = ERR_INIT;
	AUTO_JSON *v = json_read(l->dir, LEDGER_FILE, LEDGER_MAX, &err);
	const char *id;
	json_t *one;

	if (v == NULL && err.code != ENOENT)
		buf_addf(notes, "how the tickets stood before is not known: %s\n", err.text);
	json_object_foreach (json_object_get(v, "tickets"), id, one) {
		ledger_entry_parse(l, id, one);
	}
	l->former = json_to_strlist(json_object_get(v, "busy"));
	l->worked = json_bool(v, "worked", false) || strlist_len(l->former) > 0;
	l->apart = json_bool(v, "apart", false);
	l->put_back = json_to_strlist(json_object_get(v, "put_back"));
}

void
ledger_keep(struct ledger *l, int dir, char *const *tasks, struct buf *notes)
{
	l->dir = dir;
	ledger_load(l, notes);
	l->busy = strlist_dup(tasks);
	l->worked |= l->busy != NULL && *l->busy != NULL;
}

void
ledger_apart(struct ledger *l)
{
	l->changed |= !l->apart;
	l->apart = true;
}

/* ---- sessions ------------------------------------------------------------------------ */

int
ledger_begin(struct ledger *l, const char *task, struct err *err)
{
	if (strlist_has(l->busy, task) && l->worked && !l->changed)
		return 0;
	if (!strlist_has(l->busy, task))
		l->busy = strlist_add(l->busy, task);
	l->worked = true;
	l->changed = true;
	return ledger_save(l, err);
}

void
ledger_end(struct ledger *l, const char *task)
{
	char **left = NULL;

	for (char **id = l->busy; id != NULL && *id != NULL; id++)
		if (strcmp(*id, task) != 0)
			left = strlist_add(left, *id);
	strlist_free(l->busy);
	l->busy = left;
	l->changed = true;
}

bool
ledger_has(const struct ledger *l, const char *task)
{
	return strlist_has(l->busy, task) || strlist_has(l->former, task);
}

/* ---- looking ------------------------------------------------------------------------- */

struct look {
	struct ledger *ledger;
	struct backlog *backlog;
	const struct claims *claims; /* or NULL */
	const char *now;
	bool wrote;
};

/* TICKET_UNKNOWN: the ticket is gone, or has a status that tk does not know. */
static enum ticket_status
status_now(const struct look *k, const char *id)
{
	const struct ticket *t = backlog_find(k->backlog, id);

	return t == NULL ? TICKET_UNKNOWN : t->status;
}

static void
believe(const struct look *k, struct ledger_entry *e, enum ticket_status status)
{
	k->ledger->changed |= e->status != status || e->doubt != BELIEVED;
	if (e->status != status)
		(void)snprintf(e->since, sizeof(e->since), "%s", k->now);
	e->status = status;
	e->doubt = BELIEVED;
	e->opened |= status != TICKET_CLOSED;
	/* A ticket of a former session that is gone was removed by somebody who saw that nobody
	 * worked on the ticket any more. */
	if (status == TICKET_UNKNOWN && strlist_has(k->ledger->former, e->id))
		e->opened = false;
}

static void
doubt(const struct look *k, struct ledger_entry *e, enum doubt doubt)
{
	k->ledger->changed |= e->doubt != doubt;
	e->doubt = doubt;
}

static bool
ledger_is_told(const struct claim *c, const struct ledger_entry *e, enum ticket_status status)
{
	return c != NULL && c->state == CLAIM_COMPLETE &&
	       strcmp(c->note, ticket_status_name(status)) == 0 &&
	       strcmp(c->since, e->since) >= 0;
}

static void
put_back(struct look *k, struct ledger_entry *e)
{
	const struct ticket *t = backlog_find(k->backlog, e->id);
	struct ledger *l = k->ledger;

	if (t == NULL || l->apart || e->status == TICKET_UNKNOWN ||
	    ticket_set_status(backlog_dirfd(k->backlog), t->name, e->status, NULL) < 0) {
		doubt(k, e, DOUBTFUL);
		return;
	}
	doubt(k, e, BELIEVED);
	k->wrote = true;
	if (strlist_has(l->put_back, e->id))
		return;
	l->put_back = strlist_add(l->put_back, e->id);
	l->news = strlist_add(l->news, e->id);
	l->changed = true;
}

/* Is the ticket settled, or the business of one of this loop's sessions? */
static bool
ledger_is_ours(const struct look *k, struct ledger_entry *e)
{
	if (!e->settled && backlog_is_settled(k->backlog, e->id))
		k->ledger->changed = e->settled = true;
	return e->settled || ledger_has(k->ledger, e->id);
}

static void
ledger_compare(struct look *k, struct ledger_entry *e)
{
	enum ticket_status status = status_now(k, e->id);
	const struct claim *claim = k->claims == NULL ? NULL : claims_find(k->claims, e->id);

	/* A ticket that was gone and is back is believed like a new one. */
	if (ledger_is_ours(k, e) || status == e->status || e->status == TICKET_UNKNOWN ||
	    ledger_is_told(claim, e, status))
		believe(k, e, status);
	else if (claim_is_anothers(claim, getpid()))
		doubt(k, e, PENDING);
	else if (claim != NULL && claim->state == CLAIM_HELD)
		doubt(k, e, DOUBTFUL);
	else if (k->ledger->worked || e->doubt == PENDING)
		put_back(k, e);
	else if (e->doubt == BELIEVED)
		believe(k, e, status);
}

static void
meet(struct look *k, const struct ticket *t)
{
	struct ledger_entry *e = strmap_get(&k->ledger->entries, t->id);

	if (e != NULL)
		return;
	e = ledger_entry_add(k->ledger, t->id);
	e->status = TICKET_UNKNOWN;
	believe(k, e, t->status);
}

int
ledger_look(struct ledger *l, struct backlog *b, struct claims *claims, struct err *err)
{
	struct look k = {.ledger = l, .backlog = b, .claims = claims};
	AUTO_BUF now = BUF_INIT;
	const struct ticket *const *list;
	size_t n = backlog_all(b, &list);

	if (claims != NULL && claims_read(claims, err) < 0)
		return -1;
	clock_fmt_rfc3339(clock_wall(), &now);
	k.now = now.data;
	for (size_t i = 0; i < n; i++)
		meet(&k, list[i]);
	for (size_t i = 0; i < l->entries.cap; i++)
		if (l->entries.slots[i].key != NULL)
			ledger_compare(&k, l->entries.slots[i].value);
	strlist_free(take_ptr(l->former));
	l->changed |= l->worked != (l->busy != NULL);
	l->worked = l->busy != NULL;
	if (l->changed && ledger_save(l, err) < 0)
		return -1;
	return k.wrote ? backlog_refresh(b, err) : 0;
}

/* ---- what the looks found ------------------------------------------------------------ */

void
ledger_put_back(const struct ledger *l, struct buf *out)
{
	ledger_add_names(out, l->put_back);
}

void
ledger_put_back_news(struct ledger *l, struct buf *out)
{
	ledger_add_names(out, l->news);
	strlist_free(take_ptr(l->news));
}

void
ledger_others(const struct ledger *l, const struct backlog *b, struct buf *out)
{
	AUTO_STRLIST ids = NULL;

	for (size_t i = 0; i < l->entries.cap; i++) {
		const char *id = l->entries.slots[i].key;
		const struct ledger_entry *e = l->entries.slots[i].value;

		if (id != NULL && e->opened && !e->settled && !backlog_is_settled(b, id) &&
		    (backlog_find(b, id) == NULL || backlog_is_closed(b, id)))
			ids = strlist_add(ids, id);
	}
	ledger_add_names(out, ids);
}

bool
ledger_doubts(const struct ledger *l)
{
	for (size_t i = 0; i < l->entries.cap; i++) {
		const struct ledger_entry *e = l->entries.slots[i].value;

		if (e != NULL && e->doubt == DOUBTFUL)
			return true;
	}
	return false;
}

char **
ledger_pending(const struct ledger *l)
{
	char **list = NULL;

	for (size_t i = 0; i < l->entries.cap; i++) {
		const struct ledger_entry *e = l->entries.slots[i].value;

		if (e != NULL && e->doubt == PENDING)
			list = strlist_add(list, e->id);
	}
	return list;
}

/*
 * trust.c - what loops and people do with a record: loops begin and end in it, hear what is
 * new, and a person agrees to it.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "base/log.h"
#include <errno.h>
#include <string.h>

static bool strict;    /* agents of our loop may have made what is not recorded */
static json_t *told;   /* the facts that trust_news has reported; NULL: none */
static int64_t losses; /* the number of losses of the record that were reported */
static enum loss { LOSS_NONE, LOSS_MENDED, LOSS_WHOLE } loss; /* for trust_loss to report */

bool
trust_is_strict(void)
{
	return strict;
}

/* ---- loops come and go --------------------------------------------------------------- */

static void
list_drop(json_t *list, const char *text)
{
	for (size_t i = json_array_size(list); i-- > 0;)
		if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
			(void)json_array_remove(list, i);
}

static void
open_prune(json_t *open, const char *loop, bool (*lives)(const char *loop))
{
	for (size_t i = json_array_size(open); i-- > 0;) {
		const char *name = json_string_value(json_array_get(open, i));

		if (strcmp(name, loop) != 0 && !lives(name))
			(void)json_array_remove(open, i);
	}
}

/* Opens the record, or makes one when there is none; call under the lock.  When git cannot list
 * its settings (there is no git, or they are broken), git runs nothing, either: an old record
 * stays as it is; without an old one, NULL without a code, and the record is made another
 * time. */
static json_t *
record_open(const char *place, bool git, struct err *err)
{
	struct err why = ERR_INIT;
	json_t *old = trust_record_have(place, err);
	json_t *record = old != NULL ? old : trust_record_new(place, git);

	if (old == NULL && err->code != 0) {
		json_decref(record);
		return NULL;
	}
	if ((old != NULL && trust_is_fresh(old)) ||
	    trust_scan(record, trust_agents_run(record), &why) == 0)
		return record;
	if (why.code != ENOENT)
		warning("no command that git's settings name is run: %s", why.text);
	if (old == NULL)
		json_decref(record);
	return old;
}

int
trust_begin(const char *dir, const char *loop, bool (*lives)(const char *loop), struct err *err)
{
	bool git;
	AUTO_FREE char *place = trust_place(dir, &git);
	AUTO_JSON *before = NULL;
	AUTO_JSON *record = NULL;
	struct err why = ERR_INIT;
	AUTO_LOCK int lock = -1;
	json_t *open;

	strict = trust_records();
	if (!strict || place == NULL)
		return 0;
	lock = trust_record_lock(place, err);
	if (lock < 0)
		return -1;
	before = trust_record_load(place, NULL);
	losses = json_int(before, "told", 0);
	record = record_open(place, git, &why);
	if (record == NULL)
		return why.code != 0 ? err_pass(err, &why) : 0;
	open = json_object_get(record, "open");
	trust_projects_see(record, dir);
	trust_aparts_see(record, dir, trust_agents_run(record));
	open_prune(open, loop, lives);
	trust_add(open, loop);
	trust_kept_begin(place, loop);
	return trust_record_save(record, err);
}

int
trust_end(const char *dir, const char *loop, struct err *err)
{
	AUTO_FREE char *place = trust_record_place(dir);
	AUTO_JSON *record = NULL;
	struct err why = ERR_INIT;
	AUTO_LOCK int lock = -1;

	if (place == NULL)
		return 0;
	lock = trust_record_lock(place, err);
	if (lock < 0)
		return -1;
	record = trust_record_update(place, &why);
	if (record == NULL && why.code != 0) /* else there never was a record */
		return err_pass(err, &why);
	if (record != NULL) {
		trust_aparts_see(record, dir, true);
		list_drop(json_object_get(record, "open"), loop);
		if (losses > 0)
			(void)json_object_set_new(record, "told", json_integer(losses));
		if (trust_record_save(record, err) < 0)
			return -1;
	}
	if (trust_kept_is(place, loop))
		trust_kept_end();
	return 0;
}

const char *
trust_loss(void)
{
	static const char *const words[] = {
	    [LOSS_NONE] = NULL,
	    [LOSS_MENDED] = "the record of what a person agreed to was removed, damaged or "
			    "replaced while an agent worked, and was written again",
	    [LOSS_WHOLE] = "the record of what a person agreed to was removed or damaged, so "
			   "nothing is agreed to here until 'ralph trust'",
	};
	enum loss was = loss;

	loss = LOSS_NONE;
	return words[was];
}

static void
loss_look(const json_t *record)
{
	int64_t n = json_int(record, "lost", 0);

	if (n > losses)
		loss = trust_is_unseen(record) ? LOSS_WHOLE : LOSS_MENDED;
	losses = n;
}

char **
trust_news(const char *dir)
{
	struct err why = ERR_INIT;
	AUTO_FREE char *place = trust_record_place(dir);
	AUTO_JSON *found = place != NULL ? trust_record_load(place, &why) : NULL;
	AUTO_JSON *record =
	    why.code == TRUST_LOST ? trust_record(place, NULL) : json_incref(found);
	json_t *now = json_object_get(record, "untrusted");
	char **news = NULL;
	const char *name;
	json_t *value;

	if (record == NULL)
		return NULL;
	loss_look(record);
	json_object_foreach (now, name, value)
		if (!json_equal(json_object_get(told, name), value))
			news = strlist_add(news, name);
	if (news != NULL)
		qsort(news, strlist_len(news), sizeof(*news), trust_by_danger);
	json_decref(told);
	told = json_deep_copy(now);
	return news;
}

/* ---- agreeing ------------------------------------------------------------------------ */

json_t *
trust_list(const char *dir, struct err *err)
{
	AUTO_FREE char *place = trust_record_place(dir);
	struct err why = ERR_INIT;
	AUTO_JSON *record = place != NULL ? trust_record(place, &why) : NULL;
	json_t *now = json_object_get(record, "untrusted");
	const char *name;
	json_t *value, *list;

	if (record == NULL && why.code != 0) {
		(void)err_pass(err, &why);
		return NULL;
	}
	if (trust_is_unseen(record))
		loss = LOSS_WHOLE;
	list = json_object();
	json_object_foreach (now, name, value)
		(void)json_object_set_new(list, name,
		    json_pack(
			"{s:O?, s:O}", "trusted", trust_agreed(record, name), "now", value));
	return list;
}

static void
agree_to(json_t *record, json_t *list)
{
	json_t *trusted = json_object_get(record, "trusted");
	json_t *untrusted = json_object_get(record, "untrusted");
	const char *name;
	json_t *fact;

	json_object_foreach (list, name, fact) {
		json_t *now = json_object_get(fact, "now");

		if (!json_equal(json_object_get(untrusted, name), now))
			continue; /* the fact has changed since the list was made */
		(void)json_object_del(untrusted, name);
		if (json_is_null(now))
			(void)json_object_del(trusted, name);
		else
			(void)json_object_set(trusted, name, now);
	}
}

static void
hooks_agree(json_t *record)
{
	AUTO_FREE char *place = trust_where(record);
	AUTO_FREE char *top = trust_top(place);
	AUTO_FREE char *dir = trust_hooks_dir(record, top);
	AUTO_JSON *now = json_object();

	if (dir != NULL)
		trust_hooks_read(dir, now, NULL);
	trust_compare(record, now, TRUST_HOOK, false);
	(void)json_object_clear(json_object_get(record, "stamps"));
}

/* Nobody can agree to what cannot be read. */
static int
readable_check(json_t *list, struct err *err)
{
	const char *name;
	json_t *fact;

	json_object_foreach (list, name, fact)
		if (trust_is_unreadable(json_object_get(fact, "now")))
			return err_set(err, TRUST_PROJECT_FILE
			    " cannot be read, so nobody can agree to it; mend "
			    "it, then look again");
	return 0;
}

int
trust_agree(const char *dir, json_t *list, struct err *err)
{
	AUTO_FREE char *place = trust_record_place(dir);
	AUTO_JSON *record = NULL;
	AUTO_LOCK int lock = -1;

	if (place == NULL)
		return 0;
	if (readable_check(list, err) < 0 || (lock = trust_record_lock(place, err)) < 0 ||
	    (record = trust_record_load(place, err)) == NULL)
		return -1;
	agree_to(record, list);
	(void)json_object_del(record, "unseen");
	(void)json_object_del(record, "lost");
	(void)json_object_del(record, "told");
	/* If hooksPath is among what is agreed to, agree to the hooks there, too. */
	if (json_object_get(list, TRUST_GIT HOOKS_PATH) != NULL)
		hooks_agree(record);
	return trust_record_save(record, err);
}

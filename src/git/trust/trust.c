/*
 * trust.c - the records: found by repository, changed under a lock, on the disk before they
 * count.
 *
 *   trust/HASH.json   {"version":1, "place":DIR, "git":BOOL, "projects":[ROOT...],
 *                      "open":[LOOP...], "trusted":{...}, "untrusted":{...},
 *                      "stamps":{FILE:TEXT}, "aparts":[DIR...] or none,
 *                      "lost":N or none, "told":N or none, "unseen":BOOL or none}
 *   trust/HASH.lock
 *   trust/HASH.hooks/  hooks as they were agreed to, where those in place are others
 *
 * A record is lost when it ought to be there and is missing or damaged ("lost" counts the
 * losses, and "told" the losses that a loop has reported).  A process that remembers the record
 * (trust_kept.c) writes it again; else nothing is agreed to ("unseen"), until a person agrees
 * to something.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include "git/repo.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAX ((size_t)64 << 20)

static char *home;     /* NULL: nothing is recorded */
static bool strict;    /* agents of our loop may have made what is not recorded */
static json_t *told;   /* the facts that trust_news has reported; NULL: none */
static int64_t losses; /* the number of losses of the record that were reported */
static enum loss { LOSS_NONE, LOSS_MENDED, LOSS_WHOLE } loss; /* for trust_loss to report */

#define LOST ENODATA	/* the code of an error: a record is lost */
#define NOBODY "(lost)" /* stands for the loops that were open in a record that is lost */

void
trust_home(const char *dir)
{
	trust_kept_end();
	free(home);
	home = dir != NULL ? xstrdup(dir) : NULL;
}

bool
trust_is_strict(void)
{
	return strict;
}

/* ---- the records --------------------------------------------------------------------- */

/* The place of the records that are about dir; NULL: nothing is recorded. */
static char *
place_of(const char *dir)
{
	return home != NULL ? trust_place(dir, NULL) : NULL;
}

static char *
file_of(const char *place, const char *end)
{
	return xasprintf("%016" PRIx64 ".%s", text_hash(place), end);
}

char *
trust_copies(const char *place)
{
	AUTO_FREE char *name = file_of(place, "hooks");

	return xasprintf("%s/%s", home, name);
}

static json_t *
record_new(const char *place, bool git)
{
	json_t *record = json_pack("{s:i, s:o, s:b, s:[], s:[], s:{}, s:{}, s:{}}", "version",
	    TRUST_VERSION, "place", trust_value(place, strlen(place)), "git", git, "projects",
	    "open", "trusted", "untrusted", "stamps");

	ENSURE(record != NULL);
	return record;
}

static bool
is_strings(const json_t *array)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		if (!json_is_string(json_array_get(array, i)))
			return false;
	return json_is_array(array);
}

/* All values of git's settings and of hooks must be texts; with `left`, a null stands for a
 * value that is gone. */
static bool
is_facts(json_t *map, bool left)
{
	const char *name;
	json_t *value;

	json_object_foreach (map, name, value)
		if (strncmp(name, TRUST_FILE, strlen(TRUST_FILE)) != 0 &&
		    !json_is_string(value) && !(left && json_is_null(value)))
			return false;
	return json_is_object(map);
}

static bool
record_is_whole(const json_t *r, const char *place)
{
	AUTO_FREE char *where = trust_where(r);

	return strcmp(where, place) == 0 && is_strings(json_object_get(r, "projects")) &&
	       is_strings(json_object_get(r, "open")) &&
	       is_facts(json_object_get(r, "trusted"), false) &&
	       is_facts(json_object_get(r, "untrusted"), true) &&
	       json_is_object(json_object_get(r, "stamps"));
}

static int
record_lost(const char *place, struct err *err)
{
	return err_code(
	    err, LOST, "what a person agreed to in %s was removed or damaged", place);
}

/* Reads the record as it stands on the disk, whoever wrote it. */
static json_t *
record_read(const char *place, struct buf *text, struct err *err)
{
	AUTO_FREE char *name = file_of(place, "json");
	AUTO_FREE char *path = xasprintf("%s/%s", home, name);
	json_t *record;

	if (fs_read(AT_FDCWD, path, RECORD_MAX, text, err) < 0)
		return NULL;
	record = json_parse(text->data, text->len, path, NULL);
	if (record != NULL && record_is_whole(record, place))
		return record;
	json_decref(record);
	(void)record_lost(place, err);
	return NULL;
}

/* NULL with code 0: there is no record; with code LOST: there should be one. */
static json_t *
record_load(const char *place, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct err why = ERR_INIT;
	AUTO_JSON *known = NULL;
	AUTO_JSON *record = record_read(place, &text, &why);

	if (record != NULL && trust_is_ours(record, place)) {
		trust_kept_put(place, text.data);
		return take_ptr(record);
	}
	known = trust_kept(place);
	if (record != NULL ||
	    (why.code == ENOENT && (known != NULL || trust_witness(home, place))))
		(void)record_lost(place, &why);
	else if (why.code == ENOENT)
		why.code = 0;
	(void)err_pass(err, &why);
	return NULL;
}

/* Makes a record anew that was lost; nothing in it is up to date, and it is not on the disk
 * yet. */
static json_t *
record_again(const char *place)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *other = record_read(place, &text, NULL);
	json_t *others = json_object_get(other, "open");
	json_t *record = trust_kept(place);

	if (record == NULL) {
		AUTO_FREE char *top = trust_top(place);
		AUTO_FREE char *name = trust_name("", top);

		record =
		    record_new(place, trust_witness(home, place) || trust_is_git_dir(place));
		(void)json_object_set_new(record, "unseen", json_true());
		trust_add(json_object_get(record, "open"), NOBODY);
		trust_add(json_object_get(record, "projects"), name);
	}
	/* Loops that began with the other record must find themselves in this one. */
	for (size_t i = 0; i < json_array_size(others); i++)
		trust_add(json_object_get(record, "open"),
		    json_string_value(json_array_get(others, i)));
	(void)json_object_clear(json_object_get(record, "stamps"));
	(void)json_object_set_new(
	    record, "lost", json_integer(json_int(record, "lost", 0) + 1));
	return record;
}

/* Call under the lock.  NULL with code 0: there is no record. */
static json_t *
record_have(const char *place, struct err *err)
{
	struct err why = ERR_INIT;
	json_t *record = record_load(place, &why);

	if (record == NULL && why.code == LOST)
		return record_again(place);
	if (record == NULL)
		(void)err_pass(err, &why);
	return record;
}

static int
record_save(const json_t *record, struct err *err)
{
	AUTO_FREE char *place = trust_where(record);
	AUTO_FREE char *name = file_of(place, "json");
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, home, err);
	AUTO_BUF text = BUF_INIT;

	if (dir < 0)
		return -1;
	json_print(record, false, &text);
	buf_addc(&text, '\n');
	if (fs_replace(dir, name, text.data, text.len, FS_SYNC, err) < 0)
		return -1;
	trust_kept_put(place, text.data);
	if (json_is_true(json_object_get(record, "git")))
		trust_witness_make(home, place);
	return 0;
}

/* A failure is only reported: the facts that were found count all the same, and the next look
 * finds them again. */
static void
record_save_or_say(const json_t *record)
{
	static bool said;
	struct err why = ERR_INIT;

	if (record_save(record, &why) < 0 && !said) {
		said = true;
		warning("cannot write down which commands are trusted: %s", why.text);
	}
}

static int
record_lock(const char *place, struct err *err)
{
	AUTO_FREE char *name = file_of(place, "lock");
	AUTO_CLOSE int dir = -1;
	int lock;

	if (fs_mkdirs(home, err) < 0)
		return -1;
	dir = fs_open_dir(AT_FDCWD, home, err);
	lock = dir < 0 ? -1 : lock_take(dir, name, LOCK_WAIT, "", err);
	/* Removes files that a killed process was about to write. */
	if (lock >= 0 && fs_sweep(dir, err) < 0)
		lock_release(&lock);
	return lock;
}

/* Do changes count as the agents'?  Yes while a loop runs, and when nobody has looked since the
 * record was lost. */
static bool
agents_run(const json_t *record)
{
	return json_array_size(json_object_get(record, "open")) > 0 ||
	       (trust_is_unseen(record) &&
		   json_object_size(json_object_get(record, "stamps")) == 0);
}

/* Brings the record up to date; call under the lock. */
static json_t *
record_update(const char *place, struct err *err)
{
	json_t *record = record_have(place, err);

	if (record == NULL || trust_is_fresh(record))
		return record;
	if (trust_scan(record, agents_run(record), err) < 0) {
		json_decref(record);
		return NULL;
	}
	record_save_or_say(record);
	return record;
}

json_t *
trust_record(const char *place, struct err *err)
{
	struct err why = ERR_INIT;
	json_t *record = home != NULL ? record_load(place, &why) : NULL;
	AUTO_LOCK int lock = -1;

	if (record != NULL && trust_is_fresh(record))
		return record;
	(void)err_pass(err, &why);
	if (record == NULL && why.code != LOST)
		return NULL;
	json_decref(record);
	lock = record_lock(place, err);
	return lock < 0 ? NULL : record_update(place, err);
}

json_t *
trust_record_around(const char *top, struct err *err)
{
	AUTO_FREE char *at = realpath(top, NULL);
	json_t *record = NULL;
	struct err why = ERR_INIT;

	while (record == NULL && why.code == 0 && at != NULL && *at != '\0') {
		AUTO_FREE char *place = NULL;
		bool git;

		*strrchr(at, '/') = '\0';
		place = *at != '\0' ? trust_place(at, &git) : NULL;
		record = place != NULL && git ? trust_record(place, &why) : NULL;
	}
	if (record == NULL)
		(void)err_pass(err, &why);
	return record;
}

void
trust_apart_tell(const json_t *record, const char *own, json_t *now)
{
	AUTO_FREE char *place = trust_where(record);
	AUTO_JSON *after = json_deep_copy(record);
	AUTO_JSON *latest = NULL;
	AUTO_LOCK int lock = -1;

	trust_apart_note(after, own, now, agents_run(record));
	if (json_equal(record, after))
		return;
	lock = record_lock(place, NULL);
	latest = lock < 0 ? NULL : record_load(place, NULL);
	if (latest == NULL)
		return;
	trust_apart_note(latest, own, now, agents_run(latest));
	record_save_or_say(latest);
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
	json_t *old = record_have(place, err);
	json_t *record = old != NULL ? old : record_new(place, git);

	if (old == NULL && err->code != 0) {
		json_decref(record);
		return NULL;
	}
	if ((old != NULL && trust_is_fresh(old)) ||
	    trust_scan(record, agents_run(record), &why) == 0)
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

	strict = home != NULL;
	if (home == NULL || place == NULL)
		return 0;
	lock = record_lock(place, err);
	if (lock < 0)
		return -1;
	before = record_load(place, NULL);
	losses = json_int(before, "told", 0);
	record = record_open(place, git, &why);
	if (record == NULL)
		return why.code != 0 ? err_pass(err, &why) : 0;
	open = json_object_get(record, "open");
	trust_projects_see(record, dir);
	trust_aparts_see(record, dir, agents_run(record));
	open_prune(open, loop, lives);
	trust_add(open, loop);
	trust_kept_begin(place, loop);
	return record_save(record, err);
}

int
trust_end(const char *dir, const char *loop, struct err *err)
{
	AUTO_FREE char *place = place_of(dir);
	AUTO_JSON *record = NULL;
	struct err why = ERR_INIT;
	AUTO_LOCK int lock = -1;

	if (place == NULL)
		return 0;
	lock = record_lock(place, err);
	if (lock < 0)
		return -1;
	record = record_update(place, &why);
	if (record == NULL && why.code != 0) /* else there never was a record */
		return err_pass(err, &why);
	if (record != NULL) {
		trust_aparts_see(record, dir, true);
		list_drop(json_object_get(record, "open"), loop);
		if (losses > 0)
			(void)json_object_set_new(record, "told", json_integer(losses));
		if (record_save(record, err) < 0)
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
	AUTO_FREE char *place = place_of(dir);
	AUTO_JSON *found = place != NULL ? record_load(place, &why) : NULL;
	AUTO_JSON *record = why.code == LOST ? trust_record(place, NULL) : json_incref(found);
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
	AUTO_FREE char *place = place_of(dir);
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
	AUTO_FREE char *place = place_of(dir);
	AUTO_JSON *record = NULL;
	AUTO_LOCK int lock = -1;

	if (place == NULL)
		return 0;
	if (readable_check(list, err) < 0 || (lock = record_lock(place, err)) < 0 ||
	    (record = record_load(place, err)) == NULL)
		return -1;
	agree_to(record, list);
	(void)json_object_del(record, "unseen");
	(void)json_object_del(record, "lost");
	(void)json_object_del(record, "told");
	/* If hooksPath is among what is agreed to, agree to the hooks there, too. */
	if (json_object_get(list, TRUST_GIT HOOKS_PATH) != NULL)
		hooks_agree(record);
	return record_save(record, err);
}

/*
 * trust_record.c - the records: found by repository, changed under a lock, on the disk before
 * they count.
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
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#define RECORD_MAX ((size_t)64 << 20)

static char *home; /* NULL: nothing is recorded */

#define NOBODY "(lost)" /* stands for the loops that were open in a record that is lost */

void
trust_home(const char *dir)
{
	trust_kept_end();
	free(home);
	home = dir != NULL ? xstrdup(dir) : NULL;
}

bool
trust_records(void)
{
	return home != NULL;
}

char *
trust_record_place(const char *dir)
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

json_t *
trust_record_new(const char *place, bool git)
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
	    err, TRUST_LOST, "what a person agreed to in %s was removed or damaged", place);
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

json_t *
trust_record_load(const char *place, struct err *err)
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

		record = trust_record_new(
		    place, trust_witness(home, place) || trust_is_git_dir(place));
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

json_t *
trust_record_have(const char *place, struct err *err)
{
	struct err why = ERR_INIT;
	json_t *record = trust_record_load(place, &why);

	if (record == NULL && why.code == TRUST_LOST)
		return record_again(place);
	if (record == NULL)
		(void)err_pass(err, &why);
	return record;
}

int
trust_record_save(const json_t *record, struct err *err)
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

	if (trust_record_save(record, &why) < 0 && !said) {
		said = true;
		warning("cannot write down which commands are trusted: %s", why.text);
	}
}

int
trust_record_lock(const char *place, struct err *err)
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

bool
trust_agents_run(const json_t *record)
{
	return json_array_size(json_object_get(record, "open")) > 0 ||
	       (trust_is_unseen(record) &&
		   json_object_size(json_object_get(record, "stamps")) == 0);
}

json_t *
trust_record_update(const char *place, struct err *err)
{
	json_t *record = trust_record_have(place, err);

	if (record == NULL || trust_is_fresh(record))
		return record;
	if (trust_scan(record, trust_agents_run(record), err) < 0) {
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
	json_t *record = home != NULL ? trust_record_load(place, &why) : NULL;
	AUTO_LOCK int lock = -1;

	if (record != NULL && trust_is_fresh(record))
		return record;
	(void)err_pass(err, &why);
	if (record == NULL && why.code != TRUST_LOST)
		return NULL;
	json_decref(record);
	lock = trust_record_lock(place, err);
	return lock < 0 ? NULL : trust_record_update(place, err);
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

	trust_apart_note(after, own, now, trust_agents_run(record));
	if (json_equal(record, after))
		return;
	lock = trust_record_lock(place, NULL);
	latest = lock < 0 ? NULL : trust_record_load(place, NULL);
	if (latest == NULL)
		return;
	trust_apart_note(latest, own, now, trust_agents_run(latest));
	record_save_or_say(latest);
}

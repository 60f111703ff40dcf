/*
 * trust_apart.c - git directories with settings besides their repository's: those of a linked
 * work tree with a config.worktree, and of repositories within.
 *
 * These settings are facts of the same record, as far as they differ from the repository's:
 *
 *   in DIR git KEY
 *
 * A setting that a person agreed to for the repository is agreed to in these directories, too.
 * They are looked at when a loop begins and ends, as all else is, and whenever git is run in
 * one: agents can make such directories at any time.
 */
#include "git/trust/trust_inside.h"

#include "base/alloc.h"
#include "git/inner.h"
#include <string.h>
#include <unistd.h>

static char *
trust_apart_kind_of(const char *own)
{
	AUTO_FREE char *dir = trust_name("in ", own);

	return xasprintf("%s ", dir);
}

bool
trust_is_apart(const char *own, const char *place, bool recorded)
{
	AUTO_FREE char *settings = xasprintf("%s/config.worktree", own);

	return !recorded || (strcmp(own, place) != 0 && access(settings, F_OK) == 0);
}

/* Forgets core.worktree where it names the work tree itself, as in submodules: it leads git
 * nowhere else. */
static void
home_forget(const char *dir, const char *own, json_t *now)
{
	AUTO_FREE char *top = trust_tree(dir);
	const char *value = json_str(now, TRUST_GIT "core.worktree", NULL);
	AUTO_FREE char *path = NULL;
	AUTO_FREE char *home = NULL;
	AUTO_BUF bytes = BUF_INIT;

	if (value == NULL || top == NULL)
		return;
	trust_bytes(value, &bytes);
	path = *bytes.data == '/' ? xstrdup(bytes.data) : xasprintf("%s/%s", own, bytes.data);
	home = realpath(path, NULL);
	if (home != NULL && strcmp(home, top) == 0)
		(void)json_object_del(now, TRUST_GIT "core.worktree");
}

int
trust_apart_read(const char *dir, const char *own, json_t *now, struct err *err)
{
	if (trust_settings_read(dir, now, NULL, err) < 0)
		return -1;
	home_forget(dir, own, now);
	return 0;
}

void
trust_apart_note(json_t *record, const char *own, json_t *now, bool agents)
{
	AUTO_FREE char *kind = trust_apart_kind_of(own);
	AUTO_FREE char *name = trust_name("", own);
	AUTO_JSON *facts = json_object();
	const char *key;
	json_t *value;

	json_object_foreach (now, key, value) {
		AUTO_FREE char *fact = xasprintf("%s%s", kind, key);

		if (!json_equal(value, trust_agreed(record, key)) &&
		    !json_equal(value, trust_seen(record, key)))
			(void)json_object_set(facts, fact, value);
	}
	trust_compare(record, facts, kind, agents);
	if (json_object_size(facts) == 0)
		return;
	if (json_object_get(record, "aparts") == NULL)
		(void)json_object_set_new(record, "aparts", json_array());
	trust_add(json_object_get(record, "aparts"), name);
}

/* ---- what counts --------------------------------------------------------------------- */

json_t *
trust_apart_view(const json_t *record, const char *own)
{
	AUTO_FREE char *kind = trust_apart_kind_of(own);
	json_t *trusted = json_object_get(record, "trusted");
	json_t *agreed = trusted != NULL ? json_copy(trusted) : json_object();
	json_t *left = json_object();
	const char *name;
	json_t *value;

	trust_take(left, json_object_get(record, "untrusted"), TRUST_GIT);
	json_object_foreach (trusted, name, value)
		if (strncmp(name, kind, strlen(kind)) == 0) {
			(void)json_object_set(agreed, name + strlen(kind), value);
			/* A setting that is gone from that directory counts all the same. */
			(void)json_object_set_new(left, name + strlen(kind), json_null());
		}
	return json_pack("{s:o, s:o}", "trusted", agreed, "untrusted", left);
}

/* ---- come and go --------------------------------------------------------------------- */

static void
apart_see(json_t *record, const char *dir, bool agents)
{
	AUTO_FREE char *own = trust_git_dir(dir);
	AUTO_FREE char *place = trust_where(record);
	AUTO_JSON *now = json_object();

	/* When git cannot read its settings there, git runs nothing, either. */
	if (own != NULL && strcmp(own, place) != 0 &&
	    trust_apart_read(dir, own, now, NULL) == 0)
		trust_apart_note(record, own, now, agents);
}

void
trust_aparts_see(json_t *record, const char *dir, bool agents)
{
	AUTO_FREE char *place = trust_where(record);
	AUTO_FREE char *own = trust_git_dir(dir);
	AUTO_FREE char *top = own != NULL ? trust_tree(dir) : NULL;
	AUTO_STRLIST inner = NULL;

	trust_prune(record, "aparts", trust_apart_kind_of);
	if (top == NULL)
		return;
	if (trust_is_apart(own, place, true))
		apart_see(record, top, agents);
	if (inner_all(top, &inner, NULL) == 0)
		for (char **path = inner; path != NULL && *path != NULL; path++)
			apart_see(record, *path, agents);
}

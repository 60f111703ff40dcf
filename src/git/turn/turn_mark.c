#include "git/turn/turns.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "git/repo.h"
#include <errno.h>
#include <fcntl.h>

#define FILE_MAX ((size_t)64 << 20)
#define VERSION 1

/* ---------------------------------------------------------- what is apart */

void
aparts_release(struct aparts *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->list[i].path);
	free(a->list);
	*a = (struct aparts){.list = NULL};
}

void
aparts_add(struct aparts *a, const char *path, const struct apart *one)
{
	a->list = xreallocarray(a->list, a->n + 1, sizeof(*a->list));
	a->list[a->n] = *one;
	a->list[a->n++].path = xstrdup(path);
}

static int
apart_compare(const void *a, const void *b)
{
	return strcmp(((const struct apart *)a)->path, ((const struct apart *)b)->path);
}

static int
path_compare(const void *path, const void *apart)
{
	return strcmp(path, ((const struct apart *)apart)->path);
}

const struct apart *
aparts_find(const struct aparts *a, const char *path)
{
	return a && a->n > 0 ? bsearch(path, a->list, a->n, sizeof(*a->list), path_compare)
			     : NULL;
}

/* ---------------------------------------------------------------- the file */

void
mark_release(struct mark *m)
{
	free(m->head);
	free(m->commit);
	free(m->made);
	free(m->waits);
	free(m->summary);
	free(m->refused);
	free(m->left);
	free(m->run);
	free(m->about);
	aparts_release(&m->apart);
	*m = (struct mark){0};
}

/* A path is bytes, and JSON has none. */
static void
hex_put(const char *s, struct buf *out)
{
	for (; *s != '\0'; s++)
		buf_addf(out, "%02x", (unsigned)(unsigned char)*s);
}

static char *
hex_get(const char *hex)
{
	AUTO_BUF out = BUF_INIT;

	for (; hex[0] != '\0' && hex[1] != '\0'; hex += 2) {
		char digits[3] = {hex[0], hex[1], '\0'};
		char *end;
		long c = strtol(digits, &end, 16);

		if (*end != '\0' || c <= 0)
			return NULL;
		buf_addc(&out, (char)c);
	}
	return *hex == '\0' && out.len > 0 ? buf_detach(&out) : NULL;
}

static json_t *
apart_print(const struct apart *a)
{
	AUTO_BUF path = BUF_INIT;

	hex_put(a->path, &path);
	return json_pack("{s:s,s:s#,s:I,s:I,s:I}", "path", path.data, "kind", &a->kind, 1,
	    "size", (json_int_t)a->size, "modified", (json_int_t)a->modified, "changed",
	    (json_int_t)a->changed);
}

static bool
apart_read(const json_t *v, struct aparts *out)
{
	AUTO_FREE char *path = hex_get(json_str(v, "path", ""));

	if (!path)
		return false;
	aparts_add(out, path,
	    &(struct apart){
		.kind = json_str(v, "kind", "")[0],
		.size = json_int(v, "size", 0),
		.modified = json_int(v, "modified", 0),
		.changed = json_int(v, "changed", 0),
	    });
	return true;
}

static char *
get(const json_t *v, const char *key)
{
	const char *text = json_str(v, key, NULL);

	return text ? xstrdup(text) : NULL;
}

int
mark_load(const struct turn *t, struct mark *m, struct err *err)
{
	AUTO_JSON *v = NULL;
	const json_t *apart, *one;
	bool good = true;
	size_t i;

	*m = (struct mark){0};
	v = json_read(AT_FDCWD, t->file, FILE_MAX, err);
	if (!v)
		return -1;
	if (json_int(v, "version", 0) != VERSION ||
	    strcmp(json_str(v, "task", ""), t->task) != 0) {
		err_set(err, "%s does not tell how %s began", t->file, t->task);
		return repo_fail(err, ENOENT);
	}
	m->none = json_bool(v, "none", false);
	m->head = get(v, "head");
	m->commit = get(v, "commit");
	m->made = get(v, "made");
	m->left = get(v, "left");
	m->waits = get(v, "waits");
	m->summary = get(v, "summary");
	m->refused = get(v, "refused");
	m->since = json_int(v, "since", 0);
	m->run = get(v, "run");
	m->about = get(v, "about");
	m->apart.hidden = json_bool(v, "hidden", false);
	apart = json_object_get(v, "apart");
	json_array_foreach (apart, i, one)
		good = good && apart_read(one, &m->apart);
	if (m->apart.n > 0)
		qsort(m->apart.list, m->apart.n, sizeof(*m->apart.list), apart_compare);
	if (good && (m->none || m->commit))
		return 0;
	mark_release(m);
	return err_set(err, "%s is damaged", t->file);
}

int
mark_save(const struct turn *t, const struct mark *m, struct err *err)
{
	AUTO_JSON *v =
	    json_pack("{s:i,s:s,s:b}", "version", VERSION, "task", t->task, "none", m->none);
	json_t *apart = json_array();
	const char *name = strrchr(t->file, '/') + 1;
	AUTO_FREE char *parent = xstrndup(t->file, (size_t)(name - t->file));
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, parent, err);
	AUTO_BUF when = BUF_INIT;

	clock_fmt_rfc3339(clock_wall(), &when);
	json_put(v, "written", when.data);
	json_put(v, "head", m->head);
	json_put(v, "commit", m->commit);
	json_put(v, "made", m->made);
	json_put(v, "left", m->left);
	json_put(v, "waits", m->waits);
	json_put(v, "summary", m->waits ? m->summary : NULL);
	json_put(v, "refused", m->refused);
	if (m->waits)
		(void)json_object_set_new(v, "since", json_integer((json_int_t)m->since));
	json_put(v, "run", m->run);
	json_put(v, "about", m->about);
	(void)json_object_set_new(v, "hidden", json_boolean(m->apart.hidden));
	for (size_t i = 0; i < m->apart.n; i++)
		(void)json_array_append_new(apart, apart_print(&m->apart.list[i]));
	(void)json_object_set_new(v, "apart", apart);
	return dir < 0 ? -1 : json_write(dir, name, v, false, FS_SYNC, err);
}

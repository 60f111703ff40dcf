#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include <errno.h>
#include <fcntl.h>

#define FILE_MAX ((size_t)64 << 20)
#define VERSION 1

/* ---- what is outside of trees -------------------------------------------------------- */

/* By kind: its letter in the file; why the task's work there is not committed, and whether that
 * is said of a path that was outside before, too, when it has changed since. */
static const struct {
	char letter;
	bool if_changed;
	const char *why;
} kinds[] = {
    [OUTSIDE_NOT] = {'c', true, NULL},
    [OUTSIDE_BIG] = {'b', true,
	"it was not committed when the task began, and too big to keep a copy of"},
    [OUTSIDE_REPOSITORY] = {'r', false, "it is a repository of its own"},
    [OUTSIDE_SUBMODULE] = {'m', false,
	"it is a submodule, and its own changes are not committed there"},
    [OUTSIDE_UNREADABLE] = {'x', true, "it cannot be read as a file"},
    [OUTSIDE_HIDDEN] = {'h', false, NULL},
};

void
outside_release(struct outside_list *o)
{
	for (size_t i = 0; i < o->n; i++)
		free(o->list[i].path);
	free(o->list);
	*o = (struct outside_list){.list = NULL};
}

void
outside_add(struct outside_list *o, const char *path, const struct outside_path *one)
{
	o->list = xreallocarray(o->list, o->n + 1, sizeof(*o->list));
	o->list[o->n] = *one;
	o->list[o->n++].path = xstrdup(path);
}

static int
outside_compare(const void *a, const void *b)
{
	return strcmp(
	    ((const struct outside_path *)a)->path, ((const struct outside_path *)b)->path);
}

static int
path_compare(const void *path, const void *one)
{
	return strcmp(path, ((const struct outside_path *)one)->path);
}

const struct outside_path *
outside_find(const struct outside_list *o, const char *path)
{
	return o != NULL && o->n > 0
		   ? bsearch(path, o->list, o->n, sizeof(*o->list), path_compare)
		   : NULL;
}

const struct outside_path *
outside_only(const struct outside_list *o, const char *path)
{
	const struct outside_path *one = outside_find(o, path);

	return one != NULL && one->kind != OUTSIDE_SUBMODULE ? one : NULL;
}

const char *
outside_why(const struct outside_path *now, const struct outside_path *then)
{
	bool same =
	    then != NULL && (!kinds[now->kind].if_changed ||
				(then->size == now->size && then->modified == now->modified &&
				    then->changed == now->changed));

	return same ? NULL : kinds[now->kind].why;
}

/* ---- the file ------------------------------------------------------------------------ */

void
mark_release(struct mark *m)
{
#define X(name) free(m->name);
	MARK_TEXTS(X)
#undef X
	outside_release(&m->outside);
	outside_release(&m->before);
	*m = (struct mark){0};
}

/* Paths may have any bytes, which JSON cannot hold: they are written in hexadecimal. */
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
outside_print(const struct outside_path *one)
{
	AUTO_BUF path = BUF_INIT;

	hex_put(one->path, &path);
	return json_pack("{s:s,s:s#,s:I,s:I,s:I}", "path", path.data, "kind",
	    &kinds[one->kind].letter, 1, "size", (json_int_t)one->size, "modified",
	    (json_int_t)one->modified, "changed", (json_int_t)one->changed);
}

/* Reads one path.  A path of a kind that only another version knows stays out of the trees,
 * too. */
static bool
outside_read(const json_t *v, struct outside_list *out)
{
	AUTO_FREE char *path = hex_get(json_str(v, "path", ""));
	struct outside_path one = {
	    .kind = OUTSIDE_UNREADABLE,
	    .size = json_int(v, "size", 0),
	    .modified = json_int(v, "modified", 0),
	    .changed = json_int(v, "changed", 0),
	};

	if (path == NULL)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (kinds[i].letter == json_str(v, "kind", "")[0])
			one.kind = (enum outside_kind)i;
	outside_add(out, path, &one);
	return true;
}

/* Reads a list of paths, which may be missing; false: it is damaged. */
static bool
outsides_read(const json_t *list, struct outside_list *out)
{
	bool good = true;
	const json_t *one;
	size_t i;

	json_array_foreach (list, i, one)
		good = good && outside_read(one, out);
	if (out->n > 0)
		qsort(out->list, out->n, sizeof(*out->list), outside_compare);
	return good;
}

static json_t *
outsides_print(const struct outside_list *o)
{
	json_t *list = json_array();

	for (size_t i = 0; i < o->n; i++)
		(void)json_array_append_new(list, outside_print(&o->list[i]));
	return list;
}

int
mark_load(const struct turn_spec *t, struct mark *m, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *v = NULL;
	bool good;

	*m = (struct mark){0};
	if (fs_read(AT_FDCWD, t->file, FILE_MAX, &text, err) < 0)
		return -1;
	v = json_parse(text.data, text.len, t->file, err);
	if (v == NULL)
		return -1;
	if (json_int(v, "version", 0) != VERSION ||
	    strcmp(json_str(v, "task", ""), t->task) != 0)
		return err_code(err, ENOENT, "%s does not tell how %s began", t->file, t->task);
	m->none = json_bool(v, "none", false);
#define X(name) xstrset(&m->name, json_str(v, #name, NULL));
	MARK_TEXTS(X)
#undef X
	m->since = json_int(v, "since", 0);
	m->outside.hidden = json_bool(v, "hidden", false);
	m->counted = json_is_array(json_object_get(v, "before"));
	good = outsides_read(json_object_get(v, "apart"), &m->outside) &&
	       outsides_read(json_object_get(v, "before"), &m->before);
	if (good && (m->none || m->commit != NULL))
		return 0;
	mark_release(m);
	return err_set(err, "%s is damaged", t->file);
}

int
mark_save(const struct turn_spec *t, const struct mark *m, struct err *err)
{
	AUTO_JSON *v =
	    json_pack("{s:i,s:s,s:b}", "version", VERSION, "task", t->task, "none", m->none);
	AUTO_FREE char *parent = fs_parent(t->file);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, parent, err);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF when = BUF_INIT;

	clock_fmt_rfc3339(clock_wall(), &when);
	json_put(v, "written", when.data);
#define X(name) json_put(v, #name, m->name);
	MARK_TEXTS(X)
#undef X
	if (m->waits != NULL)
		(void)json_object_set_new(v, "since", json_integer((json_int_t)m->since));
	(void)json_object_set_new(v, "hidden", json_boolean(m->outside.hidden));
	(void)json_object_set_new(v, "apart", outsides_print(&m->outside));
	if (m->counted)
		(void)json_object_set_new(v, "before", outsides_print(&m->before));
	json_print(v, false, &text);
	buf_addc(&text, '\n');
	return dir < 0 ? -1
		       : fs_replace(dir, basename(t->file), text.data, text.len, FS_SYNC, err);
}

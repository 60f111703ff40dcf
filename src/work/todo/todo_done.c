#include "work/todo/todo_done.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "work/todo/todo_line.h"
#include <errno.h>
#include <fcntl.h>

#define DONE_MAX ((size_t)4 << 20)
/* Times of files are coarse: ticks of the kernel here, two seconds on some file systems. */
#define SLACK (2 * NSEC_PER_SEC)

/* Ids become names of files, so only valid ids are accepted. */
static char *
todo_done_file_name(const char *id, struct err *err)
{
	return todo_id_check(id, err) < 0 ? NULL : xasprintf("%s.done.json", id);
}

/* ---- reading ------------------------------------------------------------------------- */

static int
check_fields(const json_t *doc, const char *list, const char *id, struct err *why)
{
	AUTO_STRLIST files = json_to_strlist(json_object_get(doc, "files_modified"));
	const char *of = json_str(doc, "list", NULL);
	const char *task = json_str(doc, "task_id", NULL);
	const char *status = json_str(doc, "status", NULL);
	AUTO_BUF shown = BUF_INIT;

	if (!json_is_object(doc))
		return err_set(why, "it is no JSON object");
	if (task == NULL)
		return err_set(why, "it has no task_id");
	if (strcmp(task, id) != 0) {
		text_quote(&shown, task);
		return err_set(why, "its task_id is %s, not '%s'", shown.data, id);
	}
	if (status == NULL || strcmp(status, "done") != 0)
		return err_set(why, "its status is not 'done'");
	if (!json_is_string(json_object_get(doc, "summary")))
		return err_set(why, "its summary is no text");
	if (files == NULL)
		return err_set(why, "its files_modified is no list of texts");
	if (list != NULL && of != NULL && strcmp(list, of) != 0) {
		text_quote(&shown, of);
		return err_set(why, "it is of another list, %s", shown.data);
	}
	return 0;
}

/* Makes a summary fit for a commit message, and for everybody who reads that. */
static char *
summary_of(const char *said)
{
	AUTO_BUF out = BUF_INIT;

	text_untag(&out, said, strlen(said));
	return buf_detach(&out);
}

int
todo_done_parse(const char *list, const char *id, const char *data, size_t len, char **summary,
    struct err *why)
{
	size_t bom = todo_bom(data, len);
	AUTO_JSON *doc = json_parse(data + bom, len - bom, "it is no JSON", why);

	if (doc == NULL || check_fields(doc, list, id, why) < 0)
		return err_prefix(why, "%s.done.json does not count", id);
	if (summary != NULL)
		*summary = summary_of(json_str(doc, "summary", ""));
	return 0;
}

/* Says that the done file is missing.  A worker that takes "T{id}.done.json" literally writes
 * "TT001.done.json", which is named. */
static int
todo_done_missing(int dir, const char *results, const char *id, struct err *why)
{
	AUTO_FREE char *literal = xasprintf("T%s.done.json", id);

	if (dir >= 0 && faccessat(dir, literal, F_OK, 0) == 0)
		return err_code(why, ENOENT,
		    "%s/%s.done.json is missing; %s has one T too many", results, id, literal);
	return err_code(why, ENOENT, "%s/%s.done.json is missing", results, id);
}

/* Reads the file `name` of a task. */
static int
todo_done_read_file(int dir, const char *name, const struct todo_results *in, const char *id,
    char **summary, struct err *why)
{
	AUTO_BUF text = BUF_INIT;

	if (fs_read(dir, name, DONE_MAX, &text, why) < 0)
		return -1;
	return todo_done_parse(in->list, id, text.data, text.len, summary, why);
}

int
todo_done_check(const struct todo_results *in, const char *id, int64_t since, char **summary,
    struct err *why)
{
	AUTO_FREE char *name = todo_done_file_name(id, why);
	AUTO_CLOSE int dir = -1;
	struct err cause = ERR_INIT;
	struct stat st;

	if (name == NULL)
		return -1;
	dir = fs_open_dir(AT_FDCWD, in->dir, NULL);
	if (dir < 0 || fstatat(dir, name, &st, 0) < 0)
		return todo_done_missing(dir, in->dir, id, why);
	if (since > 0 &&
	    (int64_t)st.st_mtim.tv_sec * NSEC_PER_SEC + st.st_mtim.tv_nsec + SLACK < since)
		return err_code(
		    why, ESTALE, "%s is older than this task's start: write it again", name);
	if (todo_done_read_file(dir, name, in, id, summary, &cause) == 0)
		return 0;
	return cause.code == ENOENT ? todo_done_missing(dir, in->dir, id, why)
				    : err_pass(why, &cause);
}

bool
todo_done_was(const struct todo_results *in, const char *id)
{
	AUTO_FREE char *aside = xasprintf("%s.done.json.stale.", id);
	AUTO_CLOSE int dir = -1;
	AUTO_STRLIST names = NULL;
	bool was = todo_done_check(in, id, 0, NULL, NULL) == 0;

	if (was || fs_list(AT_FDCWD, in->dir, &names, NULL) < 0)
		return was;
	dir = fs_open_dir(AT_FDCWD, in->dir, NULL);
	for (char **name = names; dir >= 0 && !was && *name != NULL; name++)
		was = strncmp(*name, aside, strlen(aside)) == 0 &&
		      todo_done_read_file(dir, *name, in, id, NULL, NULL) == 0;
	return was;
}

/* ---- writing ------------------------------------------------------------------------- */

int
todo_done_set_aside(const char *results, const char *id, struct err *err)
{
	AUTO_FREE char *name = todo_done_file_name(id, err);
	struct err why = ERR_INIT;
	AUTO_CLOSE int dir = -1;
	AUTO_BUF stamp = BUF_INIT;

	if (name == NULL)
		return -1;
	dir = fs_open_dir(AT_FDCWD, results, &why);
	if (dir < 0 && why.code != ENOENT)
		return err_set(err, "%s", why.text);
	if (dir < 0 || faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : err_errno(err, "cannot look for %s", name);
	clock_fmt_stamp(clock_wall(), &stamp);
	for (int n = 1;; n++) {
		AUTO_FREE char *to = n == 1 ? xasprintf("%s.stale.%s", name, stamp.data)
					    : xasprintf("%s.stale.%s-%d", name, stamp.data, n);

		if (faccessat(dir, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			continue;
		return fs_rename(dir, name, to, FS_SYNC, err) < 0 ? -1 : 1;
	}
}

int
todo_done_write(const struct todo_results *in, const char *id, const char *summary,
    char *const *files, struct err *err)
{
	AUTO_FREE char *name = todo_done_file_name(id, err);
	AUTO_FREE char *seen = summary_of(summary);
	AUTO_CLOSE int dir = -1;
	AUTO_JSON *doc = NULL;
	AUTO_BUF at = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	char draft[NAME_MAX + 1];

	if (name == NULL || fs_mkdirs(in->dir, err) < 0)
		return -1;
	dir = fs_open_dir(AT_FDCWD, in->dir, err);
	if (dir < 0)
		return -1;
	clock_fmt_iso(clock_wall(), &at);
	doc = json_pack("{s:s,s:o,s:s,s:o,s:o}", "task_id", id, "completed_at",
	    json_text(at.data, at.len), "status", "done", "summary",
	    json_text(seen, strlen(seen)), "files_modified", json_strlist(files));
	ENSURE(doc != NULL);
	json_put(doc, "list", in->list);
	json_print(doc, false, &text);
	buf_addc(&text, '\n');
	/* Readable like the rest of the project. */
	if (fs_draft(dir, name, NULL, text.data, text.len, draft, err) < 0)
		return -1;
	return fs_place(dir, draft, name, false, err);
}

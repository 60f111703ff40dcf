/*
 * past_runs.c - earlier runs of a loop's name.
 */
#include "loops/past_runs.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/home.h"
#include <errno.h>

#define DIGITS_MAX 6

/* The name of "NAME@N", and N; NULL when it has not that form. */
static char *
past_runs_split(const char *name, size_t *n)
{
	const char *at = strrchr(name, '@');
	AUTO_FREE char *base = at == NULL ? NULL : xstrndup(name, (size_t)(at - name));
	size_t digits = at == NULL ? 0 : strspn(at + 1, "0123456789");

	if (base == NULL || !name_is_valid(base) || digits == 0 || digits > DIGITS_MAX ||
	    at[1 + digits] != '\0' || at[1] == '0')
		return NULL;
	*n = (size_t)strtoul(at + 1, NULL, 10);
	return take_ptr(base);
}

static int
no_such_run(int home, const char *base, size_t n, size_t earlier, struct err *err)
{
	AUTO_CLOSE int present = home_loop_open(home, base, NULL);

	if (present < 0 && earlier == 0)
		return -1;
	if (earlier == 0)
		return err_set(
		    err, "there is no run %zu of '%s': it has only the present one", n, base);
	if (earlier == 1)
		return err_set(err, "there is no run %zu of '%s': there is %s%s@2", n, base,
		    present < 0 ? "only " : "the present one, and ", base);
	return err_set(err, "there is no run %zu of '%s': there are %s%s@2 to %s@%zu", n, base,
	    present < 0 ? "" : "the present one and ", base, base, earlier + 1);
}

static int
open_archived(
    struct loop_view *v, int home, const char *entry, const char *name, struct err *err)
{
	struct err why = ERR_INIT;

	memset(v, 0, sizeof(*v));
	v->home = home;
	v->past = true;
	v->name = xstrdup(name);
	v->dir = home_archived_open(home, entry, &why);
	if (v->dir >= 0 && loop_view_fill(v, &why) == 0)
		return 0;
	loop_view_close(v);
	return why.code == ENOENT ? err_set(err, "'%s' never began", name)
				  : err_pass(err, &why);
}

int
past_run_open(struct loop_view *v, const char *name, struct err *err)
{
	size_t n = 0, earlier;
	AUTO_FREE char *base = past_runs_split(name, &n);
	AUTO_CLOSE int home = base == NULL ? -1 : home_open_existing(NULL);
	AUTO_STRLIST entries = NULL;

	if (home < 0)
		return -1;
	if (n == 1 && loop_view_open(v, base, NULL) == 0)
		return 0;
	if (home_archived(home, base, &entries, NULL) < 0)
		return no_such_run(home, base, n, 0, err);
	earlier = strlist_len(entries);
	/* The newest is the last one. */
	if (n < 2 || n - 1 > earlier)
		return no_such_run(home, base, n, earlier, err);
	return open_archived(v, take_fd(&home), entries[earlier - (n - 1)], name, err);
}

int
past_run_or_loop(struct loop_view *v, const char *name, struct err *err)
{
	struct err why = ERR_INIT;

	if (past_run_open(v, name, &why) == 0)
		return 0;
	return why.text[0] == '\0' ? loop_view_open(v, name, err) : err_pass(err, &why);
}

size_t
past_runs_count(int home, const char *name)
{
	AUTO_STRLIST entries = NULL;

	return home_archived(home, name, &entries, NULL) < 0 ? 0 : strlist_len(entries);
}

#include "git/status.h"

#include "base/alloc.h"
#include "git/repo.h"

/* The part of a line behind its first n fields. */
static const char *
status_field(const char *line, int n)
{
	while (n-- > 0 && (line = strchr(line, ' ')) != NULL)
		line++;
	return line != NULL ? line : "";
}

/* "1 XY sub mH mI mW hH hI path", "2 XY sub mH mI mW hH hI Xscore path\0from",
 * "u XY sub m1 m2 m3 mW h1 h2 h3 path", "? path", "! path", "# text". */
bool
status_next(const char **at, const struct buf *status, struct status_line *l)
{
	const char *line = *at;
	const char *end = status->data + status->len;
	bool listed;

	if (line >= end)
		return false;
	*at += strlen(line) + 1;
	l->kind = *line;
	listed = *line == '1' || *line == '2' || *line == 'u';
	l->path = status_field(line, *line == '1'   ? 8
				     : *line == '2' ? 9
				     : *line == 'u' ? 10
						    : 1);
	l->staged = listed && *status_field(line, 1) != '.';
	l->sub = listed ? status_field(line, 2) : "";
	l->gone =
	    listed && strncmp(status_field(line, *line == 'u' ? 6 : 5), "000000 ", 7) == 0;
	if (*line == '2' && *at < end)
		*at += strlen(*at) + 1;
	return true;
}

const char *
status_header(const struct status_line *l, const char *name)
{
	size_t len = strlen(name);

	if (l->kind != '#' || strncmp(l->path, name, len) != 0 || l->path[len] != ' ' ||
	    l->path[len + 1] == '(')
		return NULL;
	return l->path + len + 1;
}

const char *
status_underway(const char *git_dir)
{
	static const char *const marks[][2] = {
	    {"MERGE_HEAD", "merge"},
	    {"rebase-merge", "rebase"},
	    {"rebase-apply", "rebase"},
	    {"CHERRY_PICK_HEAD", "cherry-pick"},
	    {"REVERT_HEAD", "revert"},
	    {"BISECT_LOG", "bisect"},
	};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		AUTO_FREE char *path = xasprintf("%s/%s", git_dir, marks[i][0]);

		if (path_is_there(path))
			return marks[i][1];
	}
	return NULL;
}

#include "cmd/tk/plugin.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/process/program.h"
#include "base/process/run.h"
#include "base/text.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

/* The first is preferred. */
static const char *const prefixes[] = {"tk-", "ticket-"};

enum { DESCRIPTION_LINES = 10, SCRIPT_MAX = 1 << 20 };

/* ---- finding them --------------------------------------------------------------------- */

static char *
plugin_find(const char *command)
{
	char *found = NULL;

	if (strchr(command, '/') != NULL)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(prefixes) && found == NULL; i++) {
		AUTO_FREE char *name = xasprintf("%s%s", prefixes[i], command);

		found = program_find(name);
	}
	return found;
}

/* ---- becoming one --------------------------------------------------------------------- */

/* The program that a plugin calls to get at the commands: our program by the name we were
 * called by, else the link named tk that is kept beside our program. */
static char *
script_path(const char *script)
{
	AUTO_FREE char *beside = script == NULL ? program_beside("tk") : NULL;

	if (script != NULL && strchr(script, '/') != NULL)
		return fs_absolute(script);
	if (script != NULL)
		return program_find(script);
	if (beside != NULL && program_is(beside))
		return take_ptr(beside);
	return program_is(RALPH_LIBEXECDIR "/tk") ? xstrdup(RALPH_LIBEXECDIR "/tk") : NULL;
}

/* Tells a plugin where the tickets are, so that it need not look for them.  -1: TICKETS_DIR
 * names nothing. */
static int
tickets_export(void)
{
	const char *set = getenv("TICKETS_DIR");
	struct err err = ERR_INIT;
	AUTO_FREE char *dir = tk_dir(&err);

	if (dir != NULL)
		return setenv("TICKETS_DIR", dir, 1);
	if (set == NULL || *set == '\0')
		return 0;
	tk_error("%s", err.text);
	return -1;
}

int
tk_plugin_become(char *const *words, const char *script)
{
	AUTO_FREE char *plugin = plugin_find(words[0]);
	AUTO_FREE char *self = plugin != NULL ? script_path(script) : NULL;
	AUTO_FREE char **argv = NULL;

	if (plugin == NULL)
		return 0;
	if (tickets_export() < 0)
		return -1;
	if (self != NULL)
		(void)setenv("TK_SCRIPT", self, 1);
	argv = xcalloc(strlist_len(words) + 1, sizeof(*argv));
	memcpy(argv, words, strlist_len(words) * sizeof(*argv));
	argv[0] = basename(plugin); /* by its own name, as a shell calls it */
	(void)execv(plugin, argv);
	tk_error("cannot start %s: %s", plugin, strerror(errno));
	return -1;
}

/* ---- listing them --------------------------------------------------------------------- */

/* Appends TEXT if one of the first lines of the file is "# tk-plugin: TEXT". */
static bool
describe_by_comment(const char *path, struct buf *out)
{
	AUTO_BUF head = BUF_INIT;
	char *rest, *line;
	int n = 0;

	if (fs_read(AT_FDCWD, path, SCRIPT_MAX, &head, NULL) < 0)
		return false;
	for (rest = head.data; n < DESCRIPTION_LINES && (line = strsep(&rest, "\n")) != NULL;
	     n++)
		if (strncmp(line, "# tk-plugin:", 12) == 0) {
			text_addf(out, "%s", line + 12 + strspn(line + 12, " "));
			return true;
		}
	return false;
}

/* Appends the plugin's answer to --tk-describe, if the answer comes within a second. */
static bool
describe_by_answer(const char *path, struct buf *out)
{
	char *argv[] = {(char *)(uintptr_t)path, (char *)(uintptr_t) "--tk-describe", NULL};
	struct run_spec spec = {.argv = argv, .timeout = NSEC_PER_SEC};
	AUTO_RUN result = RUN_INIT;
	bool told = run_program(&spec, &result, NULL) == 0 && exit_ok(result.status) &&
		    result.out.len > 0 && strncmp(result.out.data, "tk-plugin: ", 11) == 0;

	if (told) {
		result.out.data[strcspn(result.out.data, "\n")] = '\0';
		text_addf(out, "%s", result.out.data + 11);
	}
	return told;
}

/* Adds the commands behind a prefix that programs in this directory have. */
static char **
plugin_names_in(const char *dir, const char *prefix, char **names)
{
	DIR *d = opendir(dir);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		AUTO_FREE char *path = xasprintf("%s/%s", dir, e->d_name);
		const char *name = e->d_name + strlen(prefix);

		if (strncmp(e->d_name, prefix, strlen(prefix)) == 0 && *name != '\0' &&
		    !strlist_has(names, name) && program_is(path))
			names = strlist_add(names, name);
	}
	if (d != NULL)
		(void)closedir(d);
	return names;
}

static int
plugin_by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void
tk_plugins_list(struct buf *out)
{
	char **dirs = program_dirs(getenv("PATH")), **names = NULL;

	for (size_t p = 0; p < ARRAY_LEN(prefixes); p++)
		for (size_t i = 0; dirs[i] != NULL; i++)
			names = plugin_names_in(dirs[i], prefixes[p], names);
	strlist_free(dirs);
	if (names == NULL)
		return;
	qsort(names, strlist_len(names), sizeof(*names), plugin_by_name);
	buf_adds(out, "\nPlugins (tk-NAME or ticket-NAME on PATH):\n");
	for (size_t i = 0; names[i] != NULL; i++) {
		AUTO_FREE char *path = plugin_find(names[i]);
		size_t start = out->len;

		text_addf(out, "  %s", names[i]);
		while (out->len < start + 24)
			buf_addc(out, ' ');
		buf_addc(out, ' ');
		if (path == NULL ||
		    (!describe_by_comment(path, out) && !describe_by_answer(path, out)))
			buf_adds(out, "(no description)");
		buf_addc(out, '\n');
	}
	strlist_free(names);
}

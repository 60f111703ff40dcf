#include "session/profile.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define FILE_MAX ((size_t)1 << 20)
#define DEFAULT_NAME "default"
/* Claude Code shortens longer names in a way of its own. */
#define SLUG_MAX 200

/* ---- files --------------------------------------------------------------------------- */

/* Reads a profile: 1 when the file was read, 0 when there is no such file, -1 + err. */
static int
profile_file_read(const char *dir, const char *name, struct buf *out, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/%s.json", dir, name);
	struct err why = ERR_INIT;

	if (fs_read(AT_FDCWD, path, FILE_MAX, out, &why) == 0)
		return 1;
	return why.code == ENOENT ? 0 : err_pass(err, &why);
}

static const char *
file_built_in(const char *name)
{
	for (const struct profile_file *f = profile_files; f->name != NULL; f++)
		if (strcmp(f->name, name) == 0)
			return f->text;
	return NULL;
}

/* *out stays NULL when nothing is known of that name. */
static int
profile_file_find(const char *name, json_t **out, struct err *err)
{
	const char *dir = getenv("RALPH_AGENTS");
	AUTO_FREE char *what = xasprintf("%s.json", name);
	AUTO_BUF text = BUF_INIT;
	int found = dir != NULL && *dir ? profile_file_read(dir, name, &text, err) : 0;

	if (found < 0)
		return -1;
	if (!found && file_built_in(name) != NULL)
		buf_adds(&text, file_built_in(name));
	else if (!found)
		return 0;
	*out = json_parse(text.data, text.len, what, err);
	if (*out == NULL)
		return -1;
	if (!json_is_object(*out))
		return err_set(err, "%s: not an object", what);
	return 0;
}

/* ---- members ------------------------------------------------------------------------- */

/* Appends the strings of an array that may be missing. */
static int
list_read(const json_t *obj, const char *key, char ***list, struct err *err)
{
	const json_t *v = json_object_get(obj, key);
	char **more = json_to_strlist(v);

	if (v != NULL && more == NULL)
		return err_set(err, "an agent's profile: \"%s\" is no list of strings", key);
	for (char **s = more; s != NULL && *s != NULL; s++)
		*list = strlist_add(*list, *s);
	strlist_free(more);
	return 0;
}

static int
text_read(const json_t *obj, const char *key, char **out, struct err *err)
{
	const json_t *v = json_object_get(obj, key);

	if (v != NULL && !json_is_string(v))
		return err_set(err, "an agent's profile: \"%s\" is no string", key);
	if (v != NULL && *json_string_value(v))
		*out = xstrdup(json_string_value(v));
	return 0;
}

/* 1: one of the arguments, up to a '=', is in the list; 0: none is; -1 + err. */
static int
arguments_have(char *const *command, const json_t *obj, const char *key, struct err *err)
{
	AUTO_STRLIST list = NULL;
	int found = list_read(obj, key, &list, err);

	for (char *const *arg = command + 1; found == 0 && *arg != NULL; arg++) {
		if (strcmp(*arg, "--") == 0)
			break;
		for (char **s = list; s != NULL && *s != NULL && found == 0; s++) {
			size_t len = strlen(*s);

			found = strncmp(*arg, *s, len) == 0 &&
				((*arg)[len] == '\0' || (*arg)[len] == '=');
		}
	}
	return found;
}

static int
profile_transcript_read(
    struct profile *p, const json_t *file, char *const *command, struct err *err)
{
	const json_t *v = json_object_get(file, "transcript");
	int chosen;

	if (v != NULL && !json_is_object(v))
		return err_set(err, "an agent's profile: \"transcript\" is no object");
	chosen = v != NULL ? arguments_have(command, v, "unless", err) : 1;
	if (chosen != 0)
		return chosen < 0 ? -1 : 0;
	return list_read(v, "paths", &p->transcript_paths, err) < 0
		   ? -1
		   : text_read(v, "flag", &p->transcript_flag, err);
}

static int
profile_read(struct profile *p, const char *name, char *const *command, struct err *err)
{
	AUTO_JSON *v = NULL;
	int silent;

	if (profile_file_find(name, &v, err) < 0)
		return -1;
	silent = v != NULL ? arguments_have(command, v, "not_interactive", err) : 1;
	if (silent != 0)
		return silent < 0 ? -1 : 0;
	if (list_read(v, "ready", &p->ready, err) < 0 ||
	    list_read(v, "commands", &p->commands, err) < 0 ||
	    list_read(v, "not_ready", &p->not_ready, err) < 0 ||
	    (p->exit == NULL && text_read(v, "exit", &p->exit, err) < 0) ||
	    (p->clear == NULL && text_read(v, "clear", &p->clear, err) < 0))
		return -1;
	return p->transcript_flag != NULL ? 0 : profile_transcript_read(p, v, command, err);
}

/* The program and its arguments: the words behind "env NAME=VALUE ...", or the command
 * itself. */
static char *const *
program_of(char *const *command)
{
	char *const *program = command;

	if (command[0] == NULL || strcmp(basename(command[0]), "env") != 0)
		return command;
	do
		program++;
	while (*program != NULL && **program != '-' && strchr(*program, '=') != NULL);
	/* An env with options of its own may do anything. */
	return *program != NULL && **program != '-' ? program : command;
}

/* The program's name, as files are named; NULL when the program can have no file. */
static const char *
profile_program_name(char *const *command)
{
	const char *base = basename(program_of(command)[0]);

	return *base && *base != '.' && strcmp(base, DEFAULT_NAME) != 0 ? base : NULL;
}

enum profile_use
profile_use(char *const *command)
{
	const char *name = profile_program_name(command);
	const char *text = name != NULL ? file_built_in(name) : NULL;
	AUTO_JSON *built_in = text != NULL ? json_parse(text, strlen(text), name, NULL) : NULL;
	AUTO_JSON *own = NULL;
	const json_t *file = built_in;

	if (name != NULL && profile_file_find(name, &own, NULL) == 0 &&
	    json_object_get(own, "terminal") != NULL)
		file = own;
	if (!json_is_true(json_object_get(file, "terminal")))
		return PROFILE_UNKNOWN;
	return arguments_have(program_of(command), file, "not_interactive", NULL) > 0
		   ? PROFILE_HEADLESS
		   : PROFILE_TERMINAL;
}

int
profile_load(struct profile *p, char *const *command, struct err *err)
{
	char *const *program = program_of(command);
	const char *name = profile_program_name(command);

	*p = (struct profile){0};
	if (name != NULL && profile_read(p, name, program, err) < 0) {
		profile_release(p);
		return -1;
	}
	if (program != command) {
		free(take_ptr(p->transcript_flag));
		strlist_free(take_ptr(p->transcript_paths));
	}
	p->known = p->ready != NULL;
	if (profile_read(p, DEFAULT_NAME, command, err) < 0) {
		profile_release(p);
		return -1;
	}
	return 0;
}

void
profile_release(struct profile *p)
{
	strlist_free(p->ready);
	strlist_free(p->not_ready);
	strlist_free(p->commands);
	free(p->exit);
	free(p->clear);
	free(p->transcript_flag);
	strlist_free(p->transcript_paths);
	*p = (struct profile){0};
}

int
profile_says(char *const *command, const json_t *out[PROFILE_SAYS], struct err *err)
{
	const char *const names[] = {profile_program_name(command), DEFAULT_NAME};
	size_t n = 0;

	out[0] = NULL;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		AUTO_JSON *file = NULL;
		json_t *says;

		if (names[i] != NULL && profile_file_find(names[i], &file, err) < 0) {
			profile_says_free(out);
			return -1;
		}
		says = json_object_get(file, "says");
		if (says != NULL && !json_is_object(says)) {
			profile_says_free(out);
			return err_set(err, "an agent's profile: \"says\" is no object");
		}
		if (says != NULL) {
			out[n++] = json_incref(says);
			out[n] = NULL;
		}
	}
	return 0;
}

void
profile_says_free(const json_t *says[PROFILE_SAYS])
{
	for (size_t i = 0; says[i] != NULL; i++)
		json_decref((json_t *)(uintptr_t)says[i]);
	says[0] = NULL;
}

/* ---- transcript ---------------------------------------------------------------------- */

static bool
profile_is_plain(uint32_t cp)
{
	return (cp >= '0' && cp <= '9') || (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
}

/* Counts as JavaScript does, where a character beyond 16 bits counts as two. */
static void
slug_add(const char *path, struct buf *out)
{
	size_t len = strlen(path);

	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp;

		n = utf8_decode(path + i, len - i, &cp);
		n = n ? n : 1;
		buf_addc(out, profile_is_plain(cp) ? (char)cp : '-');
		if (cp > 0xffff)
			buf_addc(out, '-');
	}
}

/* Fills in "$NAME/..."; false when the variable is not set. */
static bool
path_fill(const char *path, char *const *env, const char *slug, const char *id, struct buf *out)
{
	buf_clear(out);
	if (*path == '$') {
		size_t len = strcspn(path + 1, "/");
		AUTO_FREE char *name = xstrndup(path + 1, len);
		const char *value = strlist_value(env, name);

		if (value == NULL || !*value)
			return false;
		buf_adds(out, value);
		path += 1 + len;
	}
	while (*path) {
		if (strncmp(path, "{cwd}", 5) == 0) {
			buf_adds(out, slug);
			path += 5;
		} else if (strncmp(path, "{id}", 4) == 0) {
			buf_adds(out, id);
			path += 4;
		} else {
			buf_addc(out, *path++);
		}
	}
	return out->data[0] == '/';
}

char *
profile_transcript_path(
    const struct profile *p, char *const *env, const char *cwd, const char *id)
{
	AUTO_FREE char *real = realpath(cwd != NULL && *cwd ? cwd : ".", NULL);
	AUTO_BUF slug = BUF_INIT, path = BUF_INIT;

	if (p->transcript_flag == NULL || real == NULL)
		return NULL;
	slug_add(real, &slug);
	for (char **s = p->transcript_paths; s != NULL && *s != NULL && slug.len <= SLUG_MAX;
	     s++)
		if (path_fill(*s, env, slug.data, id, &path))
			return buf_detach(&path);
	return NULL;
}

/* ---- commands ------------------------------------------------------------------------ */

bool
profile_has_command(
    const struct profile *p, char *const *env, const char *cwd, const char *name)
{
	AUTO_BUF path = BUF_INIT;

	for (char **dir = p->commands; dir != NULL && *dir != NULL; dir++) {
		bool absolute = path_fill(*dir, env, "", "", &path);
		AUTO_FREE char *file = NULL;

		if (**dir == '$' && !absolute)
			continue;
		file = absolute ? xasprintf("%s/%s.md", path.data, name)
				: xasprintf("%s/%s/%s.md", cwd, *dir, name);
		if (access(file, R_OK) == 0)
			return true;
		if (absolute)
			break;
	}
	return false;
}

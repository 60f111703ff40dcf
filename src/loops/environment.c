/*
 * environment.c - --env and --env-file: the variables that a loop's agents get.
 */
#include "loops/environment.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "loops/settings.h"
#include <ctype.h>
#include <fcntl.h>

#define FILE_MAX ((size_t)1 << 20)
#define NAME_BYTES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

/* ---- a file ------------------------------------------------------------------------ */

/* NULL when the text can be a value, else what is wrong with it. */
static const char *
value_fault(const char *value, size_t len)
{
	uint32_t cp;

	for (size_t at = 0, n; at < len; at += n) {
		n = utf8_decode(value + at, len - at, &cp);
		if (n == 0)
			return "is not UTF-8";
		if ((cp < ' ' && cp != '\t') || cp == 0x7f)
			return "has a control character";
	}
	return NULL;
}

/* Parses one line without its end; NULL, or what is wrong with the line. */
static const char *
line_parse(const char *line, size_t len, char ***env)
{
	/* Both stop at the line's end: what follows is no blank, and no part of a name. */
	size_t blanks = strspn(line, " \t");
	size_t name = isdigit((unsigned char)*line) ? 0 : strspn(line, NAME_BYTES);
	AUTO_FREE char *entry = NULL;
	const char *fault;

	if (blanks == len || line[blanks] == '#')
		return NULL;
	if (name == 0 || name == len || line[name] != '=')
		return "is not K=V (K of letters, digits and '_'), empty or a # comment";
	fault = value_fault(line + name + 1, len - name - 1);
	if (fault != NULL)
		return fault;
	entry = xstrndup(line, len);
	*env = strlist_add(*env, entry);
	return NULL;
}

static int
text_parse(const char *text, size_t len, const char *name, char ***env, struct err *err)
{
	const char *end = text + len;
	size_t number = 1;

	for (const char *next; text < end; text = next, number++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		const char *fault;

		next = stop == NULL ? end : stop + 1;
		if (stop == NULL)
			stop = end;
		/* Other systems end their lines with two bytes. */
		if (stop > text && stop[-1] == '\r')
			stop--;
		fault = line_parse(text, (size_t)(stop - text), env);
		if (fault != NULL)
			return err_set(err, "%s: line %zu %s", name, number, fault);
	}
	return 0;
}

static int
environment_file_take(const char *path, char ***env, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;
	int rc = fs_read(AT_FDCWD, path, FILE_MAX, &text, err);

	text_show(&shown, path, strlen(path), false);
	if (rc == 0)
		rc = text_parse(text.data, text.len, shown.data, env, err);
	/* A secret that is read is not left in memory that others get. */
	if (text.len > 0)
		explicit_bzero(text.data, text.len);
	return rc < 0 ? err_prefix(err, "--env-file") : 0;
}

/* ---- an option --------------------------------------------------------------------- */

static int
option_take(const char *given, char ***env, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;
	AUTO_FREE char *entry = NULL;
	const char *value;

	if (strchr(given, '=') != NULL) {
		*env = strlist_add(*env, given);
		return 0;
	}
	text_quote(&shown, given);
	value = given[0] == '\0' ? NULL : getenv(given);
	if (value == NULL)
		return err_set(err,
		    "--env %s: there is no such variable here (K=V gives one a value)",
		    shown.data);
	entry = xasprintf("%s=%s", given, value);
	*env = strlist_add(*env, entry);
	return 0;
}

static int
take_all(char *const *given, char *const *files, char ***env, struct err *err)
{
	for (; files != NULL && *files != NULL; files++)
		if (environment_file_take(*files, env, err) < 0)
			return -1;
	for (; given != NULL && *given != NULL; given++)
		if (option_take(*given, env, err) < 0)
			return -1;
	return settings_check_env(*env, err);
}

int
environment_take(char ***env, char *const *files, struct err *err)
{
	char **whole = NULL;

	if (take_all(*env, files, &whole, err) < 0) {
		strlist_free(whole);
		return -1;
	}
	strlist_free(*env);
	*env = whole;
	return 0;
}

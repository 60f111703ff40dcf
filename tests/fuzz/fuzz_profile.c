/*
 * The bytes are an agent's profile, of a directory that RALPH_AGENTS names.  It is refused with
 * a sentence, and then nothing of it holds; or every member is what the file says, and holds
 * together with what is known of every agent.  The rules for limits are refused, or judge.
 *
 * A first byte of 'd' makes it the file that holds for all.
 */
#include "scratch.h"
#include "session/profile.h"
#include "watch/limit.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int dir;
static char program[] = "/opt/odd", flag[] = "--fast", value[] = "x=1";
static char *const command[] = {program, flag, value, NULL};
static char home[] = "HOME=/home/me", config[] = "CONFIG=/c";
static char *const env[] = {home, config, NULL};

int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	dir = scratch_open("profile");
	(void)setenv("RALPH_AGENTS", scratch_path, 1);
	return 0;
}

static bool
lists_are_equal(char *const *a, char *const *b)
{
	size_t n = strlist_len(a);

	if (n != strlist_len(b))
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

/* The list begins with that of the file. */
static void
check_list(char *const *list, const json_t *file, const char *key)
{
	const json_t *v = json_object_get(file, key);

	ENSURE(v == NULL || json_is_array(v));
	for (size_t i = 0; i < json_array_size(v); i++)
		ENSURE(strcmp(list[i], json_string_value(json_array_get(v, i))) == 0);
}

static void
check_text(const char *text, const json_t *file, const char *key)
{
	const json_t *v = json_object_get(file, key);

	ENSURE(text == NULL || text[0] != '\0');
	ENSURE(v == NULL || json_is_string(v));
	if (v != NULL && json_string_value(v)[0] != '\0')
		ENSURE(strcmp(text, json_string_value(v)) == 0);
}

/* With such an argument it is no program to talk to. */
static bool
is_silent(const json_t *file)
{
	const json_t *v = json_object_get(file, "not_interactive");

	for (size_t i = 0; i < json_array_size(v); i++) {
		const char *s = json_string_value(json_array_get(v, i));

		if (strcmp(s, "--fast") == 0 || strcmp(s, "x") == 0 || strcmp(s, "x=1") == 0)
			return true;
	}
	return false;
}

static void
check_members(const struct profile *p, const json_t *file)
{
	const json_t *transcript = json_object_get(file, "transcript");

	ENSURE(json_is_object(file));
	if (is_silent(file))
		return;
	check_list(p->ready, file, "ready");
	check_list(p->not_ready, file, "not_ready");
	check_list(p->commands, file, "commands");
	check_text(p->exit, file, "exit");
	check_text(p->clear, file, "clear");
	ENSURE(transcript == NULL || json_is_object(transcript));
	if (p->transcript_flag != NULL) {
		check_text(p->transcript_flag, transcript, "flag");
		check_list(p->transcript_paths, transcript, "paths");
	}
}

static void
check_paths(const struct profile *p)
{
	AUTO_FREE char *path = profile_transcript_path(p, env, "/usr", "ID");

	ENSURE(path == NULL || path[0] == '/');
	(void)profile_has_command(p, env, "/usr", "clear");
}

static void
load(const json_t *file)
{
	struct profile p, again;
	struct err err = ERR_INIT;

	if (profile_load(&p, command, &err) < 0) {
		ENSURE(err.text[0] != '\0');
		ENSURE(p.ready == NULL && p.commands == NULL && p.exit == NULL &&
		       p.clear == NULL && p.transcript_flag == NULL);
		return;
	}
	ENSURE(err.text[0] == '\0');
	check_members(&p, file);
	check_paths(&p);
	ENSURE(profile_load(&again, command, &err) == 0);
	ENSURE(lists_are_equal(p.ready, again.ready) &&
	       lists_are_equal(p.not_ready, again.not_ready) && p.known == again.known);
	profile_release(&p);
	profile_release(&again);
}

/* What it says of limits: refused, or good for a judgement. */
static void
says(const json_t *file)
{
	static const char words[] =
	    "{\"type\":\"x\",\"a\":{\"b\":[1]}}\nslow down, resets in 3s\n";
	const json_t *said[PROFILE_SAYS];
	struct tail out = {.bytes = BUF_INIT}, none = {.bytes = BUF_INIT};
	struct limit_found found = {.text = BUF_INIT};
	struct err err = ERR_INIT;
	struct limit_case c = {.out = &out, .err = &none, .failed = true, .now = 1};

	if (profile_says(command, said, &err) < 0) {
		ENSURE(err.text[0] != '\0' && said[0] == NULL);
		return;
	}
	ENSURE(json_object_get(file, "says") == NULL || said[0] != NULL);
	c.rules = limit_rules_new(said, &err);
	ENSURE((c.rules == NULL) == (err.text[0] != '\0'));
	profile_says_free(said);
	if (c.rules == NULL)
		return;
	limit_tail_add(&out, words, strlen(words));
	ENSURE(limit_judge(&c, &found, &err) == 0 || err.text[0] != '\0');
	limit_rules_free(c.rules);
	limit_tail_release(&out);
	buf_release(&found.text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool for_all = size > 0 && data[0] == 'd';
	AUTO_JSON *file = NULL;

	if (size == 0)
		return 0;
	scratch_put(dir, for_all ? "default.json" : "odd.json", data + 1, size - 1);
	file = json_parse((const char *)data + 1, size - 1, "profile", NULL);
	load(file);
	says(file);
	ENSURE(unlinkat(dir, for_all ? "default.json" : "odd.json", 0) == 0);
	return 0;
}

#include "checker.h"
#include <fnmatch.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define JOURNAL "home/loops/" LOOP "/journal.jsonl"
#define DEPTH 16

/* Calls fn for every line that ends with a newline. */
static void
each_line(char *text, void (*fn)(void *ctx, const char *line), void *ctx)
{
	char *end;

	for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
		*end = '\0';
		fn(ctx, text);
	}
}

struct reading {
	struct trial *t;
	json_t *list;
	size_t lines;
};

static void
journal_line(void *ctx, const char *line)
{
	struct reading *r = ctx;
	json_t *v = json_loads(line, 0, NULL);

	if (v == NULL || json_integer_value(json_object_get(v, "n")) != (long long)++r->lines)
		complain(r->t, "the journal's line %zu is not in order: %s", r->lines, line);
	json_array_extend(r->list, json_object_get(v, "facts"));
	json_decref(v);
}

json_t *
journal_facts(struct trial *t, size_t *lines)
{
	struct reading r = {t, json_array(), 0};
	char *text = trial_read(t, JOURNAL);

	each_line(text, journal_line, &r);
	free(text);
	if (lines != NULL)
		*lines = r.lines;
	return r.list;
}

static const char *
text_of(const json_t *v, const char *key)
{
	const char *text = json_string_value(json_object_get(v, key));

	return text != NULL ? text : "";
}

int
facts_count(const json_t *facts, const char *kind, const char *key, const char *value)
{
	size_t i;
	json_t *fact;
	int n = 0;

	json_array_foreach (facts, i, fact)
		n += strcmp(text_of(fact, "fact"), kind) == 0 &&
		     (key == NULL || strcmp(text_of(fact, key), value) == 0);
	return n;
}

/* ---- acknowledged ----------------------------------------------------------- */

static void
event_line(void *ctx, const char *line)
{
	struct reading *r = ctx;
	json_t *v = json_loads(line, 0, NULL);

	if (v == NULL)
		complain(r->t, "no event: %s", line);
	else
		json_array_append_new(r->list, v);
}

/* Times, durations and exit codes have another form in events. */
static bool
same(json_t *event, json_t *fact)
{
	const char *key;
	json_t *v;

	if (strcmp(text_of(event, "event"), text_of(fact, "fact")) != 0)
		return false;
	json_object_foreach (fact, key, v) {
		if (!json_is_string(v) && !json_is_integer(v))
			continue;
		if (strcmp(key, "fact") == 0 || strcmp(key, "duration") == 0 ||
		    strcmp(key, "delay") == 0)
			continue;
		if (!json_equal(v, json_object_get(event, key)))
			return false;
	}
	return true;
}

/* Of two: a line may wait for the next one before both are told. */
static size_t
facts_of_last_lines(struct trial *t)
{
	char *text = trial_read(t, JOURNAL), *end;
	size_t n = 0;

	for (int i = 0; i < 2 && (end = strrchr(text, '\n')) != NULL; i++) {
		char *from;
		json_t *v;

		*end = '\0';
		from = strrchr(text, '\n');
		v = json_loads(from == NULL ? text : from + 1, 0, NULL);
		n += json_array_size(json_object_get(v, "facts"));
		json_decref(v);
	}
	free(text);
	return n;
}

void
check_acknowledged(struct trial *t, const char *out)
{
	struct reading said = {t, json_array(), 0};
	char *text = trial_read(t, out);
	json_t *facts = journal_facts(t, NULL);
	size_t nfacts = json_array_size(facts), nsaid;

	each_line(text, event_line, &said);
	nsaid = json_array_size(said.list);
	if (nsaid > nfacts)
		complain(t, "%zu facts were told, %zu are in the journal", nsaid, nfacts);
	else if (nfacts - nsaid > facts_of_last_lines(t))
		complain(t, "only %zu of %zu facts in the journal were told", nsaid, nfacts);
	for (size_t i = 0; i < nsaid && i < nfacts; i++)
		if (!same(json_array_get(said.list, i), json_array_get(facts, i)))
			complain(t, "fact %zu was told otherwise than it was written", i + 1);
	json_decref(said.list);
	json_decref(facts);
	free(text);
}

void
check_opens(struct trial *t)
{
	size_t lines;
	json_t *facts = journal_facts(t, &lines);
	int code = trial_do(t, SOUND, "status", "status " LOOP);
	char *err = trial_read(t, "status.err");

	if (code != (lines > 0 ? 0 : 1) ||
	    (lines == 0 && strstr(err, "no loop named '" LOOP "'") == NULL))
		complain(t, "status with %zu lines in the journal: exit code %d, %s", lines,
		    code, err);
	free(err);
	code = trial_do(t, SOUND, "ls", "ls");
	err = trial_read(t, "ls.err");
	if (code != 0 || *err != '\0')
		complain(t, "ls: exit code %d, %s", code, err);
	free(err);
	json_decref(facts);
}

/* ---- in the end --------------------------------------------------------------- */

void
check_journal(struct trial *t, const char *reason)
{
	json_t *facts = journal_facts(t, NULL), *fact;
	json_int_t started = 0, ended = 0;
	size_t i;

	json_array_foreach (facts, i, fact) {
		const char *kind = text_of(fact, "fact");
		json_int_t n = json_integer_value(json_object_get(fact, "iteration"));

		if (strcmp(kind, "started") == 0 && (n != ++started || ended != started - 1))
			complain(t, "iteration %lld starts after %lld of %lld ended",
			    (long long)n, (long long)ended, (long long)started - 1);
		if (strcmp(kind, "ended") == 0 && n != ++ended)
			complain(t, "iteration %lld is the %lldth that ends", (long long)n,
			    (long long)ended);
	}
	if (started != ended || started > MAX_ITERATIONS)
		complain(t, "%lld iterations started, %lld ended", (long long)started,
		    (long long)ended);
	if (facts_count(facts, "opened", NULL, NULL) != 1)
		complain(t, "the loop was opened more than once");
	if (facts_count(facts, "finished", NULL, NULL) != 1 ||
	    facts_count(facts, "finished", "reason", reason) != 1)
		complain(t, "not finished once with %s", reason);
	json_decref(facts);
}

struct sighting {
	struct trial *t;
	bool killed;
	int last, running;
};

static void
agent_line(void *ctx, const char *line)
{
	struct sighting *s = ctx;
	const char *space = strchr(line, ' ');
	char what[16] = "", *end;
	int iteration, pid;

	if (space == NULL || (size_t)(space - line) >= sizeof(what)) {
		complain(s->t, "an agent said: %s", line);
		return;
	}
	memcpy(what, line, (size_t)(space - line));
	iteration = (int)strtol(space, &end, 10);
	pid = (int)strtol(end, &end, 10);
	if (iteration <= 0 || pid <= 0)
		complain(s->t, "an agent said: %s", line);
	if (strcmp(what, "start") == 0) {
		if (iteration <= s->last)
			complain(s->t, "iteration %d has a second agent", iteration);
		if (s->running != 0 && !s->killed)
			complain(s->t, "agent %d starts while %d works", pid, s->running);
		s->last = iteration;
		s->running = pid;
	} else if (strcmp(what, "end") == 0) {
		if (pid != s->running)
			complain(s->t, "agent %d ends unexpectedly", pid);
		s->running = 0;
	} else {
		complain(s->t, "an agent saw: %s", line);
	}
}

void
check_agents(struct trial *t, bool killed)
{
	struct sighting s = {.t = t, .killed = killed};
	char *text = trial_read(t, "agents");

	each_line(text, agent_line, &s);
	if (s.running != 0 && !killed)
		complain(t, "agent %d did not end", s.running);
	free(text);
}

static struct trial *litter_of;

static int
litter_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	const char *name = path + ftw->base;

	(void)type;
	/* A keeper tells the end first and writes it down then; nobody needs it any more.  What
	 * was archived is as it was. */
	if (fnmatch(".exit.json.tmp.*", name, 0) == 0 || strstr(path, "/archive/") != NULL)
		return 0;
	if (fnmatch("*.tmp.*", name, 0) == 0 || fnmatch("*.corrupt.*", name, 0) == 0 ||
	    (strcmp(name, "lock") == 0 && st->st_size != 0))
		complain(litter_of, "left behind: %s", path);
	return 0;
}

void
check_litter(struct trial *t)
{
	char *home = trial_path(t, "home"), *logs = trial_path(t, "project/logs");

	litter_of = t;
	nftw(home, litter_file, DEPTH, FTW_PHYS);
	nftw(logs, litter_file, DEPTH, FTW_PHYS);
	free(home);
	free(logs);
}

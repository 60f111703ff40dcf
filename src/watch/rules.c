#include "watch/rules.h"

#include "base/alloc.h"
#include "base/text.h"
#include "watch/pattern.h"

/* The lists of patterns, in the order in which they are asked: bills before logins before
 * limits, for "your limit is $0" is no limit. */
static const struct {
	const char *name;
	enum limit_kind kind;
	bool only_stderr;
} lists[] = {{"billing", LIMIT_BILLING, false}, {"login", LIMIT_LOGIN, false},
    {"limit", LIMIT_RATE, false}, {"limit_stderr", LIMIT_RATE, true}};

struct rule {
	const char *python;	 /* in the profile's JSON */
	struct pattern *pattern; /* NULL until it is needed */
	size_t list;
};

struct limit_rules {
	struct rule *rules;
	size_t nrules;
	json_t *events; /* array */
	json_t *says;	/* array: what the texts above lie in */
};

static int
rules_kind_parse(const char *name)
{
	/* In the order of enum limit_kind. */
	return text_choice("|limit|login|billing|ok", name);
}

/* ---- reading ------------------------------------------------------------------------- */

static int
rules_read(struct limit_rules *r, const json_t *says, size_t list, struct err *err)
{
	const json_t *texts = json_object_get(says, lists[list].name);

	if (texts != NULL && !json_is_array(texts))
		return err_set(err, "an agent's profile: \"%s\" is no list", lists[list].name);
	for (size_t i = 0; i < json_array_size(texts); i++) {
		const char *python = json_string_value(json_array_get(texts, i));
		AUTO_BUF translated = BUF_INIT;

		if (python == NULL)
			return err_set(err, "an agent's profile: \"%s\" is no list of strings",
			    lists[list].name);
		if (pattern_translate(python, &translated, err) < 0)
			return err_prefix(err, "an agent's profile: \"%s\"", lists[list].name);
		r->rules = xreallocarray(r->rules, r->nrules + 1, sizeof(*r->rules));
		r->rules[r->nrules++] = (struct rule){python, NULL, list};
	}
	return 0;
}

static int
events_read(struct limit_rules *r, const json_t *says, struct err *err)
{
	json_t *events = json_object_get(says, "events");

	if (events != NULL && !json_is_array(events))
		return err_set(err, "an agent's profile: \"events\" is no list");
	for (size_t i = 0; i < json_array_size(events); i++) {
		json_t *event = json_array_get(events, i);

		if (!json_is_object(json_object_get(event, "where")))
			return err_set(err, "an agent's profile: an event has no \"where\"");
		if (rules_kind_parse(json_str(event, "kind", "")) < 0)
			return err_set(
			    err, "an agent's profile: an event has a kind that is not known");
		ENSURE(json_array_append(r->events, event) == 0);
	}
	return 0;
}

struct limit_rules *
limit_rules_new(const json_t *const *says, struct err *err)
{
	struct limit_rules *r = xcalloc(1, sizeof(*r));
	int rc = 0;

	r->events = json_array();
	r->says = json_array();
	ENSURE(r->events != NULL && r->says != NULL);
	for (const json_t *const *s = says; *s != NULL && rc == 0; s++) {
		ENSURE(json_array_append(r->says, (json_t *)(uintptr_t)*s) == 0);
		rc = events_read(r, *s, err);
	}
	for (size_t list = 0; list < ARRAY_LEN(lists); list++)
		for (const json_t *const *s = says; *s != NULL && rc == 0; s++)
			rc = rules_read(r, *s, list, err);
	if (rc == 0)
		return r;
	limit_rules_free(r);
	return NULL;
}

void
limit_rules_free(struct limit_rules *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->nrules; i++)
		pattern_free(r->rules[i].pattern);
	free(r->rules);
	json_decref(r->events);
	json_decref(r->says);
	free(r);
}

/* ---- asking -------------------------------------------------------------------------- */

int
limit_rules_words(struct limit_rules *r, const struct buf *text, bool is_stderr,
    enum limit_kind *kind, struct err *err)
{
	size_t start, end;

	*kind = LIMIT_NONE;
	for (size_t i = 0; i < r->nrules && *kind == LIMIT_NONE; i++) {
		struct rule *rule = &r->rules[i];

		if (lists[rule->list].only_stderr && !is_stderr)
			continue;
		if (rule->pattern == NULL)
			rule->pattern = pattern_new(rule->python, err);
		if (rule->pattern == NULL)
			return err_prefix(
			    err, "an agent's profile: \"%s\"", lists[rule->list].name);
		if (pattern_search(rule->pattern, text->data, text->len, &start, &end) ==
		    PATTERN_MATCH)
			*kind = lists[rule->list].kind;
	}
	return 0;
}

const json_t *
limit_rules_event(const struct limit_rules *r, size_t i, enum limit_kind *kind)
{
	const json_t *event = json_array_get(r->events, i);

	*kind = event == NULL ? LIMIT_NONE
			      : (enum limit_kind)rules_kind_parse(json_str(event, "kind", ""));
	return event;
}

#include "land/turn.h"

#include "base/alloc.h"

static const char *const names[] = {
    [TURN_COMMITTED] = "committed",
    [TURN_NOTHING] = "nothing",
    [TURN_NO_REPOSITORY] = "no-repository",
    [TURN_REFUSED] = "refused",
    [TURN_UNSIGNED] = "unsigned",
    [TURN_NO_IDENTITY] = "no-identity",
    [TURN_BUSY] = "busy",
};

_Static_assert(ARRAY_LEN(names) == TURN_OUTCOMES, "every outcome has a name");

const char *
turn_outcome_name(enum turn_outcome o)
{
	return o < TURN_OUTCOMES ? names[o] : "?";
}

static char *
get(const json_t *v, const char *key)
{
	const char *text = json_str(v, key, NULL);

	return text ? xstrdup(text) : NULL;
}

json_t *
turn_result_json(const struct turn_result *r)
{
	json_t *v = json_pack("{s:s,s:b,s:I}", "outcome", turn_outcome_name(r->outcome),
	    "found", r->found, "committed", (json_int_t)r->committed);
	json_t *left = json_array();

	json_put(v, "commit", r->commit);
	json_put(v, "brief", r->brief);
	json_put(v, "message", r->message);
	json_put(v, "diffstat", r->diffstat);
	json_put(v, "text", r->text);
	if (r->paths)
		(void)json_object_set_new(v, "paths", json_strlist(r->paths));
	for (size_t i = 0; i < r->nleft; i++) {
		json_t *one = json_object();

		json_put(one, "path", r->left[i].path);
		json_put(one, "why", r->left[i].why);
		(void)json_array_append_new(left, one);
	}
	(void)json_object_set_new(v, "left", left);
	return v;
}

int
turn_result_parse(const json_t *v, struct turn_result *r, struct err *err)
{
	const char *outcome = json_str(v, "outcome", "");
	const json_t *left = json_object_get(v, "left");
	const json_t *one;
	int o = 0;
	size_t i;

	*r = (struct turn_result){.outcome = TURN_NOTHING};
	while (o < TURN_OUTCOMES && strcmp(names[o], outcome) != 0)
		o++;
	if (o == TURN_OUTCOMES)
		return err_set(err, "that is not how a commit ends");
	r->outcome = (enum turn_outcome)o;
	r->found = json_bool(v, "found", false);
	r->committed = json_int(v, "committed", 0);
	r->commit = get(v, "commit");
	r->brief = get(v, "brief");
	r->message = get(v, "message");
	r->diffstat = get(v, "diffstat");
	r->text = get(v, "text");
	r->paths = json_to_strlist(json_object_get(v, "paths"));
	json_array_foreach (left, i, one) {
		r->left = xreallocarray(r->left, r->nleft + 1, sizeof(*r->left));
		r->left[r->nleft++] = (struct turn_left){
		    xstrdup(json_str(one, "path", "")), xstrdup(json_str(one, "why", ""))};
	}
	return 0;
}

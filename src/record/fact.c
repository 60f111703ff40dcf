#include "record/codec.h"

#include "base/clock.h"
#include "record/value.h"

/* Takes out what says nothing: zeros and empty texts. */
static void
drop_silent(json_t *obj, unsigned fields)
{
	static const char *const names[] = {
#define F(type, name, dimension, letter) #name,
	    FACT_FIELDS(F)
#undef F
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const json_t *v = json_object_get(obj, names[i]);

		if ((fields & 1u << i) != 0 && (json_is_string(v) ? json_string_length(v) == 0
								  : json_integer_value(v) == 0))
			(void)json_object_del(obj, names[i]);
	}
}

static json_t *
journal_form(const struct fact *f)
{
	unsigned fields = fact_fields(f->kind);
	json_t *obj = value_object();

	value_set(obj, "fact", value_word(fact_name(f->kind)));
	value_set(obj, "at", value_when(f->at));
#define F(type, name, dimension, letter) \
	if (fields & HAS(name))          \
		value_set(obj, #name, PUT_##letter(f->name));
	FACT_FIELDS(F)
#undef F
	drop_silent(obj, fields & FACT_OPTIONAL);
	return obj;
}

/* For people and their scripts: clocks and statuses as they know them. */
static json_t *
event_form(const struct fact *f, const char *loop)
{
	unsigned fields = fact_fields(f->kind);
	AUTO_JSON *kept = journal_form(f);
	json_t *obj = value_object();
	const char *key;
	json_t *v;

	value_set(obj, "event", value_word(fact_name(f->kind)));
	value_set(obj, "loop", value_word(loop));
	value_set(obj, "time", value_time(f->at.wall, clock_fmt_rfc3339));
	json_object_foreach (kept, key, v) {
		if (strcmp(key, "fact") != 0 && strcmp(key, "at") != 0)
			value_set(obj, key, json_incref(v));
	}
	if (fields & HAS(exit))
		value_set(obj, "exit",
		    f->exit.how == EXIT_UNKNOWN ? json_null()
						: value_int(exit_number(f->exit)));
	if (fields & HAS(until))
		value_set(obj, "until", value_time(f->until.wall, clock_fmt_rfc3339));
	if (fields & HAS(duration)) {
		(void)json_object_del(obj, "duration");
		value_set(obj, "duration_ms", value_int(f->duration / NSEC_PER_MSEC));
	}
	if (fields & HAS(delay)) {
		(void)json_object_del(obj, "delay");
		value_set(obj, "delay_ms", value_int(f->delay / NSEC_PER_MSEC));
	}
	return obj;
}

json_t *
fact_to_json(const struct fact *f, const char *event_loop)
{
	return event_loop != NULL ? event_form(f, event_loop) : journal_form(f);
}

static int
members_get(const json_t *v, struct fact *f, struct err *err)
{
	unsigned fields = fact_fields(f->kind);

	MEMBER_GET(v, M, f, at);
#define F(type, name, dimension, letter) \
	if (fields & HAS(name))          \
		MEMBER_GET(v, letter, f, name);
	FACT_FIELDS(F)
#undef F
	return 0;
}

int
fact_from_json(const json_t *v, struct fact *f, struct err *err)
{
	int kind = value_get_word(json_object_get(v, "fact"), fact_parse, err);

	if (kind < 0)
		return err_prefix(err, "fact");
	memset(f, 0, sizeof(*f));
	f->kind = (enum fact_kind)kind;
	if (members_get(v, f, err) < 0)
		return err_prefix(err, "%s", fact_name(f->kind));
	return 0;
}

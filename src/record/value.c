#include "record/value.h"
#include "base/text.h"
#include <errno.h>

/* Exit codes, signals and errno values are all far below. */
#define EXIT_VALUE_MAX INT16_MAX

int
value_code(struct err *err, int code)
{
	if (err != NULL)
		err->code = code;
	return -1;
}

static int
value_refuse(struct err *err, const char *why)
{
	return err_code(err, EBADMSG, "%s", why);
}

void
value_set(json_t *obj, const char *key, json_t *v)
{
	if (v != NULL)
		ENSURE(json_object_set_new(obj, key, v) == 0);
}

json_t *
value_object(void)
{
	json_t *v = json_object();

	ENSURE(v != NULL);
	return v;
}

json_t *
value_array(void)
{
	json_t *v = json_array();

	ENSURE(v != NULL);
	return v;
}

void
value_append(json_t *list, json_t *v)
{
	ENSURE(json_array_append_new(list, v) == 0);
}

json_t *
value_time(int64_t wall, void (*fmt)(int64_t wall, struct buf *out))
{
	AUTO_BUF text = BUF_INIT;

	fmt(wall, &text);
	return json_text(text.data, text.len);
}

json_t *
value_int(int64_t n)
{
	json_t *v = json_integer(n);

	ENSURE(v != NULL);
	return v;
}

json_t *
value_word(const char *word)
{
	return json_text(word, strlen(word));
}

static json_t *
pair(json_t *a, json_t *b)
{
	json_t *v = value_array();

	value_append(v, a);
	value_append(v, b);
	return v;
}

json_t *
value_when(struct when at)
{
	return pair(value_int(at.boot), value_int(at.wall));
}

json_t *
value_exit(struct exit_status e)
{
	return pair(value_word(exit_how_name(e.how)), value_int(e.value));
}

/* Where to cut s so that at most max bytes of whole characters are left. */
static size_t
value_text_cut(const char *s, size_t len, size_t max)
{
	if (len <= max)
		return len;
	while (max > 0 && ((unsigned char)s[max] & 0xC0) == 0x80)
		max--;
	return max;
}

json_t *
value_text(const char *s, size_t size)
{
	size_t len = strnlen(s, size);
	json_t *v;

	if (len == 0)
		return NULL;
	v = json_text(s, len);
	/* Repaired UTF-8 is longer than what it replaces, and must fit when it is read. */
	if (json_string_length(v) >= size) {
		const char *long_text = json_string_value(v);
		size_t cut = value_text_cut(long_text, json_string_length(v), size - 1);
		json_t *shorter = json_text(long_text, cut);

		json_decref(v);
		v = shorter;
	}
	return v;
}

int
value_get_int(const json_t *v, int64_t *out, struct err *err)
{
	int64_t n = json_integer_value(v);

	if (!json_is_integer(v))
		return value_refuse(err, "not a whole number");
	if (n <= -VALUE_INT_LIMIT || n >= VALUE_INT_LIMIT)
		return value_refuse(err, "a number out of reach");
	*out = n;
	return 0;
}

int
value_get_bool(const json_t *v, bool *out, struct err *err)
{
	if (!json_is_boolean(v))
		return value_refuse(err, "neither true nor false");
	*out = json_is_true(v);
	return 0;
}

int
value_get_when(const json_t *v, struct when *out, struct err *err)
{
	struct when at;

	if (!json_is_array(v) || json_array_size(v) != 2)
		return value_refuse(err, "not a moment");
	if (value_get_int(json_array_get(v, 0), &at.boot, err) < 0 ||
	    value_get_int(json_array_get(v, 1), &at.wall, err) < 0)
		return -1;
	if (at.wall < 0)
		return value_refuse(err, "a moment before 1970");
	*out = at;
	return 0;
}

int
value_get_exit(const json_t *v, struct exit_status *out, struct err *err)
{
	int64_t value;
	int how;

	if (!json_is_array(v) || json_array_size(v) != 2)
		return value_refuse(err, "not an exit status");
	how = value_get_word(json_array_get(v, 0), exit_how_parse, err);
	if (how < 0 || value_get_int(json_array_get(v, 1), &value, err) < 0)
		return -1;
	if (value < 0 || value > EXIT_VALUE_MAX)
		return value_refuse(err, "an exit status out of reach");
	*out = (struct exit_status){.how = (enum exit_how)how, .value = (int)value};
	return 0;
}

int
value_get_text(const json_t *v, char *out, size_t size, struct err *err)
{
	size_t len = json_string_length(v);

	if (!json_is_string(v))
		return value_refuse(err, "not a text");
	if (len >= size)
		return value_refuse(err, "a text that is too long");
	memset(out, 0, size);
	memcpy(out, json_string_value(v), len);
	return 0;
}

int
value_get_word(const json_t *v, int (*parse)(const char *), struct err *err)
{
	const char *word = json_string_value(v);
	AUTO_BUF quoted = BUF_INIT;
	int n;

	if (word == NULL)
		return value_refuse(err, "not a word");
	n = parse(word);
	if (n >= 0)
		return n;
	text_quote(&quoted, word);
	return err_code(err, ENOTSUP, "%s is a word of a newer version", quoted.data);
}

#define WORD_READER(name, type, parse)                                    \
	int value_get_##name(const json_t *v, type *out, struct err *err) \
	{                                                                 \
		int n = value_get_word(v, parse, err);                    \
                                                                          \
		if (n < 0)                                                \
			return -1;                                        \
		*out = (type)n;                                           \
		return 0;                                                 \
	}

WORD_READER(wanted, enum wanted, wanted_parse)
WORD_READER(verdict, enum verdict, verdict_parse)
WORD_READER(reason, enum end_reason, end_reason_parse)
WORD_READER(fate, enum fate, fate_parse)
WORD_READER(signal, enum signal_kind, signal_parse)
WORD_READER(phase, enum loop_phase, phase_parse)
WORD_READER(session_state, enum session_state, session_state_parse)
WORD_READER(tell, enum tell, tell_parse)

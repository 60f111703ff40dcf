/*
 * value.h - the values that facts and states are made of, as JSON.
 *
 * The letters are those of the table in loop/fact.h: a row says what its
 * member is, PUT_<letter>(member) makes the JSON of it, GET_<letter>(json,
 * member) reads it back into the member and is -1 + err when it cannot.
 *
 * Reading is strict: another type, a text that does not fit its array, a
 * number out of reach are errors (code EBADMSG).  A word we do not know was
 * written by a newer version (code ENOTSUP).  Writing never makes what reading
 * would refuse.
 */
#ifndef RECORD_VALUE_H
#define RECORD_VALUE_H

#include "base/json.h"
#include "loop/loop.h"

/* Sums of two such numbers do not overflow; as nanoseconds they reach to the year 2116. */
#define VALUE_INT_LIMIT (INT64_C(1) << 62)

/* Sets the code of the sentence that is in err; returns -1. */
int value_code(struct err *err, int code);

/* Adds v (taken over) as a member; NULL: nothing to say, no member. */
void value_set(json_t *obj, const char *key, json_t *v);

/* Empty ones; never NULL. */
json_t *value_object(void) NODISCARD;
json_t *value_array(void) NODISCARD;
/* Adds v (taken over) at the end. */
void value_append(json_t *list, json_t *v);

json_t *value_int(int64_t n) NODISCARD;
/* A moment of the wall clock as `fmt` (base/clock.h) writes it. */
json_t *value_time(int64_t wall, void (*fmt)(int64_t wall, struct buf *out)) NODISCARD;
json_t *value_word(const char *word) NODISCARD;
json_t *value_when(struct when at) NODISCARD;		  /* [boot, wall] */
json_t *value_exit(struct exit_status e) NODISCARD;	  /* ["code", 0] */
json_t *value_text(const char *s, size_t size) NODISCARD; /* NULL when empty */

int value_get_int(const json_t *v, int64_t *out, struct err *err) NODISCARD;
int value_get_bool(const json_t *v, bool *out, struct err *err) NODISCARD;
int value_get_when(const json_t *v, struct when *out, struct err *err) NODISCARD;
int value_get_exit(const json_t *v, struct exit_status *out, struct err *err) NODISCARD;
int value_get_text(const json_t *v, char *out, size_t size, struct err *err) NODISCARD;
/* The number `parse` gives the word, or -1. */
int value_get_word(const json_t *v, int (*parse)(const char *), struct err *err) NODISCARD;
int value_get_wanted(const json_t *v, enum wanted *out, struct err *err) NODISCARD;
int value_get_verdict(const json_t *v, enum verdict *out, struct err *err) NODISCARD;
int value_get_reason(const json_t *v, enum end_reason *out, struct err *err) NODISCARD;
int value_get_fate(const json_t *v, enum fate *out, struct err *err) NODISCARD;
int value_get_signal(const json_t *v, enum signal_kind *out, struct err *err) NODISCARD;
int value_get_phase(const json_t *v, enum loop_phase *out, struct err *err) NODISCARD;
int value_get_session_state(
    const json_t *v, enum session_state *out, struct err *err) NODISCARD;
int value_get_tell(const json_t *v, enum tell *out, struct err *err) NODISCARD;

#define PUT_I(x) value_int(x)
#define PUT_W(x) value_word(wanted_name(x))
#define PUT_V(x) value_word(verdict_name(x))
#define PUT_R(x) ((x) == END_NONE ? NULL : value_word(end_reason_name(x)))
#define PUT_K(x) ((x) == FATE_NONE ? NULL : value_word(fate_name(x)))
#define PUT_G(x) value_word(signal_name(x))
#define PUT_X(x) value_exit(x)
#define PUT_M(x) value_when(x)
#define PUT_S(x) value_text(x, sizeof(x))

#define GET_I(v, x) value_get_int(v, &(x), err)
#define GET_W(v, x) value_get_wanted(v, &(x), err)
#define GET_V(v, x) value_get_verdict(v, &(x), err)
#define GET_R(v, x) value_get_reason(v, &(x), err)
#define GET_K(v, x) value_get_fate(v, &(x), err)
#define GET_G(v, x) value_get_signal(v, &(x), err)
#define GET_X(v, x) value_get_exit(v, &(x), err)
#define GET_M(v, x) value_get_when(v, &(x), err)
#define GET_S(v, x) value_get_text(v, x, sizeof(x), err)

/* An absent member is one that the writer did not know: it stays zero. */
#define MEMBER_GET(obj, type, owner, name)                                     \
	do {                                                                   \
		const json_t *member_ = json_object_get(obj, #name);           \
                                                                               \
		if (member_ != NULL && GET_##type(member_, (owner)->name) < 0) \
			return err_prefix(err, "%s", #name);                   \
	} while (0)

#endif

/*
 * codec.h - facts, states and settings as JSON (fact.c, state.c, spec.c).
 *
 * Written from the tables of loop/ that the structs are made of, so a new member is a new
 * row.  Reading is strict about types and silent about unknown keys (they
 * belong to newer versions); an absent member is zero (an older version did not know it).
 * The error code is EBADMSG for an unreadable text and ENOTSUP for a word we do not know.
 *
 * Texts inside facts and states become valid UTF-8 on the way; texts in settings come
 * back byte for byte.
 */
#ifndef RECORD_CODEC_H
#define RECORD_CODEC_H

#include "base/json.h"
#include "loop/loop.h"

/*
 * Without event_loop: as the journal keeps it ("fact", and moments as two integers).
 * With it: as users see it (--json, --on-alert): "event", "loop" and "time" (RFC 3339)
 * come first; "exit" is one integer (null: unknown), "until" RFC 3339, and spans are
 * "duration_ms" and "delay_ms".
 */
json_t *fact_to_json(const struct fact *f, const char *event_loop) NODISCARD;
int fact_from_json(const json_t *v, struct fact *f, struct err *err) NODISCARD;

/* Everything but `fetch`, which belongs to the process. */
json_t *state_to_json(const struct loop_state *s) NODISCARD;
int state_from_json(const json_t *v, struct loop_state *s, struct err *err) NODISCARD;

/* How a loop with these settings deals with its tasks.  spec.json has three of the marks; the
 * row of the source (loop/source_row.h) has the others. */
enum regime settings_regime(const struct settings *s);
/* Sets how much of a loop's sessions stays on disk where nobody says. */
void settings_defaults_keep(struct settings *s);
void settings_release(struct settings *s);

/* spec.json: {"version":1, "settings":{...}}; code ENOTSUP for a newer version.  Where
 * spec_load fails, *s is empty; else settings_release frees what it holds. */
int spec_save(int loop_dirfd, const struct settings *s, struct err *err) NODISCARD;
int spec_load(int loop_dirfd, struct settings *s, struct err *err) NODISCARD;

#endif

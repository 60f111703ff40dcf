/*
 * codec.h - facts, states and settings as JSON.
 *
 * Written from the tables in loop/, so a new member is a new row there.  Reading is
 * strict about types and silent about unknown keys (they belong to newer versions).
 */
#ifndef RECORD_CODEC_H
#define RECORD_CODEC_H

#include "base/json.h"
#include "loop/loop.h"

/* With `event`: as users see it (--json, --on-alert): "event", "loop" and "time" (RFC 3339)
 * come first.  Without: as the journal keeps it ("fact" and the moment as two integers). */
json_t *fact_to_json(const struct fact *f, const char *event_loop) NODISCARD;
int fact_from_json(const json_t *v, struct fact *f, struct err *err) NODISCARD;

json_t *state_to_json(const struct loop_state *s) NODISCARD;
int state_from_json(const json_t *v, struct loop_state *s, struct err *err) NODISCARD;

json_t *settings_to_json(const struct settings *s) NODISCARD;
int settings_from_json(const json_t *v, struct settings *s, struct err *err) NODISCARD;
void settings_release(struct settings *s);

/* spec.json: {"version":1, "settings":{...}}; code ENOTSUP for a newer version. */
int spec_save(int loop_dirfd, const struct settings *s, struct err *err) NODISCARD;
int spec_load(int loop_dirfd, struct settings *s, struct err *err) NODISCARD;

#endif

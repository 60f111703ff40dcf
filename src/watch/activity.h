/*
 * activity.h - the two clocks of a watched session.
 *
 * Activity: the text of the whole screen changed when output settled.
 * Progress: the text still differs when spinner glyphs, digits, "..." (up to three dots) and
 * the like are taken out, or a line left the screen, or the conversation in the transcript went
 * on, or a process of the tree other than the agent used CPU.
 *
 * Pure: the caller tells what happened and when; `changed` and `advanced` say from when a
 * timeout counts.  For pipes any byte is activity, and progress is the same thing.
 */
#ifndef WATCH_ACTIVITY_H
#define WATCH_ACTIVITY_H

#include "base/buf.h"

struct activity {
	int64_t changed;  /* boot ns of the last activity */
	int64_t advanced; /* of the last progress */
	uint64_t screen;  /* hash of the text */
	uint64_t essence; /* hash of the text without what only blinks */
};

void activity_start(struct activity *a, int64_t now);
void activity_bytes(struct activity *a, int64_t now); /* pipes */
/* A line left the screen, the transcript went on, or descendants used CPU. */
void activity_advance(struct activity *a, int64_t now);
/* The screen as it settled; `hash` is term_text_hash, text is only read when it differs
 * (pass a callback that prints the screen). */
void activity_screen(struct activity *a, int64_t now, uint64_t hash,
    void (*text)(void *ctx, struct buf *out), void *ctx);

/* The text without what only blinks, for tests. */
void activity_essence(const char *text, size_t len, struct buf *out);

#endif

/*
 * transcript.h - what an agent says, from the file to which it writes its conversation.
 *
 * One JSON object a line (Claude Code's form).  The agent's own words are the text blocks of
 * the main conversation's "assistant" lines: not its thinking, not its tool calls, not what
 * tools and people say to it ("user"), not its helpers ("isSidechain"), not an error message
 * that was put in its mouth ("isApiErrorMessage"): those are complaints.
 *
 * The file may hold anything: lines that are no JSON, of another kind or longer than
 * TRANSCRIPT_LINE_MAX are passed over.
 */
#ifndef WATCH_TRANSCRIPT_H
#define WATCH_TRANSCRIPT_H

#include "watch/lines.h"

#define TRANSCRIPT_LINE_MAX ((size_t)8 << 20)

struct transcript {
	struct lines said;
	/* Gets each text that is said to the agent, whole; NULL unless set after
	 * transcript_init. */
	line_fn *heard;
	struct buf partial;
	/* Gets the text of each complaint; NULL unless set after transcript_init. */
	void (*complained)(void *ctx, const char *text);
	bool skipping; /* private: the rest of a line that is too long */
	size_t turns;  /* lines of the conversation so far, the agent's and those to it */
	bool over;     /* the last of them ends the agent's turn: nobody owes an answer */
};

/* `fn` gets each line the agent says, as lines.h gives them out. */
void transcript_init(struct transcript *t, line_fn *fn, void *ctx);
void transcript_feed(struct transcript *t, const char *data, size_t len);
void transcript_release(struct transcript *t);

#endif

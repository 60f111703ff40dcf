/*
 * recording.h - every byte an agent wrote, with the time it came.
 *
 * Two files in the session's directory: output.raw, the bytes, and output.times, one
 * text line per chunk, whose last letter is its kind:
 *     <ms since start> <length> o                   of the terminal, or of stdout
 *     <ms since start> <length> e                   of stderr
 *     <ms since start> <rows>x<cols> s              size at this moment
 *     <ms since start> <from> <to> g                these bytes of output.raw were dropped
 * Chunks of the kinds i and r can be read, but are not written.  `kind` is that letter in all
 * calls below.
 *
 * Offsets in output.raw never move: when the file has grown past the cap, its middle is punched
 * out and a g line says so (the first and the last part stay).  Where holes are not supported
 * recording stops at the cap, with a g line to the end.
 *
 * Neither file is synced: they survive a crash of ours, and a power cut costs only
 * the last seconds of a log.
 */
#ifndef SESSION_RECORDING_RECORDING_H
#define SESSION_RECORDING_RECORDING_H

#include "base/buf.h"
#include "base/err.h"

struct recording;

struct recording *recording_new(
    int session_dirfd, int64_t cap, int rows, int cols, struct err *err) NODISCARD;
/* -1 once when writing fails (disk full); later calls try again and mark the gap. */
int recording_add(
    struct recording *r, char kind, const char *data, size_t len, struct err *err) NODISCARD;
void recording_size(struct recording *r, int rows, int cols);
void recording_free(struct recording *r);

/* Reads a recording, also while it grows.  Calls `fn` for each piece in order; a gap (g) comes
 * with the number of missing bytes as len and data NULL, a size (s) with rows << 16 | cols as
 * len. */
struct recording_reader;
typedef void recording_fn(void *ctx, int64_t ms, char kind, const char *data, size_t len);
struct recording_reader *recording_open(int session_dirfd, struct err *err) NODISCARD;
/* Delivers the chunks that are there now; returns how many. */
int recording_read(
    struct recording_reader *r, recording_fn *fn, void *ctx, struct err *err) NODISCARD;
void recording_reader_free(struct recording_reader *r);

/* The last max bytes of output as they are on disk (for repainting a pipe session). */
int recording_tail(int session_dirfd, size_t max, struct buf *out, struct err *err) NODISCARD;
/* asciicast v2 (asciinema). */
int recording_export_cast(
    int session_dirfd, const char *title, struct buf *out, struct err *err) NODISCARD;

#endif

#include "record/snapshot.h"
#include "base/fs.h"
#include "record/codec.h"
#include "record/owner.h"
#include "record/seal.h"
#include "record/value.h"
#include <errno.h>

#define SNAPSHOT_FILE "snapshot.json"
#define SNAPSHOT_VERSION 1
#define SNAPSHOT_MAX ((size_t)1024 * 1024)

int
snapshot_save(
    int dirfd, int64_t n, int64_t offset, const struct loop_state *state, struct err *err)
{
	AUTO_JSON *obj = value_object();
	AUTO_BUF text = BUF_INIT;

	value_set(obj, "v", value_int(SNAPSHOT_VERSION));
	value_set(obj, "n", value_int(n));
	value_set(obj, "offset", value_int(offset));
	value_set(obj, "state", state_to_json(state));
	seal_print(obj, &text);
	buf_addc(&text, '\n');
	return fs_replace(dirfd, SNAPSHOT_FILE, text.data, text.len, FS_SYNC, err);
}

static int
damaged(struct err *err, const char *why)
{
	return err_code(err, EBADMSG, SNAPSHOT_FILE " %s", why);
}

static int
snapshot_parse(const struct buf *text, struct snapshot *out, struct err *err)
{
	AUTO_JSON *obj = NULL;
	size_t len = text->len > 0 ? text->len - 1 : 0;
	bool whole, sealed;

	whole = text->len > 0 && text->data[len] == '\n' && seal_is_whole(text->data, len);
	sealed = seal_is_there(text->data, len);
	obj = json_parse(text->data, text->len, SNAPSHOT_FILE, err);
	if (obj == NULL)
		return value_code(err, EBADMSG);
	/* A newer version may seal in another way.  Where the seal is ours and does not match,
	 * the number of the version may be what is damaged. */
	if (json_int(obj, "v", SNAPSHOT_VERSION) > SNAPSHOT_VERSION && (whole || !sealed))
		return err_code(err, ENOTSUP, SNAPSHOT_FILE " was written by a newer version");
	if (!whole)
		return damaged(err, "does not match its checksum");
	out->n = json_int(obj, "n", 0);
	out->offset = json_int(obj, "offset", 0);
	if (out->n < 1 || out->n >= VALUE_INT_LIMIT || out->offset < 1)
		return damaged(err, "says of no line that it is its last");
	if (state_from_json(json_object_get(obj, "state"), &out->state, err) < 0)
		return err_prefix(err, SNAPSHOT_FILE);
	return 1;
}

int
snapshot_load(int dirfd, struct snapshot *out, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_BUF text = BUF_INIT;

	if (owner_read(dirfd, SNAPSHOT_FILE, SNAPSHOT_MAX, &text, &why) == 0)
		return snapshot_parse(&text, out, err);
	if (why.code == ENOENT)
		return 0;
	return err_code(err, why.code == EFBIG ? EBADMSG : why.code, "%s", why.text);
}

int
snapshot_discard(int dirfd, const char *why, struct buf *note, struct err *err)
{
	AUTO_BUF moved = BUF_INIT;

	if (fs_move_aside(dirfd, SNAPSHOT_FILE, &moved, err) < 0)
		return -1;
	buf_addf(note, "%s (kept as %s; the journal was read from its start)", why, moved.data);
	return 0;
}

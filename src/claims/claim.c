/*
 * claim.c - one claim: as a line of the file, and what it says.
 */
#include "claims/claiming.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/lock.h"
#include "base/text.h"
#include "loop/vocabulary.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define PID_LIMIT (INT64_C(1) << 22) /* the kernel's own */

VOCABULARY(claim_state, enum claim_state, CLAIM_STATES)

static const char *
copy(char **at, const char *s)
{
	char *to = *at;

	*at = stpcpy(to, s) + 1;
	return to;
}

struct claim *
claim_copy(const struct claim *from)
{
	size_t size = strlen(from->task) + strlen(from->host) + strlen(from->worktree) +
		      strlen(from->since) + strlen(from->note) + strlen(from->lock) + 6;
	struct claim *claim = xmalloc(sizeof(*claim) + size);
	char *at = (char *)(claim + 1);

	*claim = *from;
	claim->task = copy(&at, from->task);
	claim->host = copy(&at, from->host);
	claim->worktree = copy(&at, from->worktree);
	claim->since = copy(&at, from->since);
	claim->note = copy(&at, from->note);
	claim->lock = copy(&at, from->lock);
	return claim;
}

void
claim_print(const struct claim *claim, struct buf *out)
{
	AUTO_JSON *v = json_pack("{s:o, s:s, s:i, s:I, s:s, s:o, s:o, s:s, s:o}", "task",
	    json_or_null(claim->task), "state", claim_state_name(claim->state), "pid",
	    (int)claim->owner.pid, "start_time", (json_int_t)claim->owner.start_time, "boot_id",
	    claim->owner.boot_id, "host", json_or_null(claim->host), "worktree",
	    json_or_null(claim->worktree), "since", claim->since, "note",
	    json_or_null(claim->note));

	ENSURE(v != NULL);
	if (claim->agent.pid != 0)
		ENSURE(json_object_set_new(v, "agent",
			   json_pack("{s:i, s:I}", "pid", (int)claim->agent.pid, "start_time",
			       (json_int_t)claim->agent.start_time)) == 0);
	if (*claim->lock != '\0')
		ENSURE(json_object_set_new(v, "lock", json_or_null(claim->lock)) == 0);
	json_print(v, true, out);
	buf_addc(out, '\n');
}

static struct proc_id
process_parse(const json_t *v, const char *boot_id)
{
	int64_t pid = json_int(v, "pid", 0);
	struct proc_id p = {
	    .pid = pid > 0 && pid <= PID_LIMIT ? (pid_t)pid : 0,
	    .start_time = (uint64_t)json_int(v, "start_time", 0),
	};

	(void)snprintf(p.boot_id, sizeof(p.boot_id), "%s", boot_id);
	return p;
}

bool
claim_parse(const json_t *v, struct claim *claim)
{
	int state = claim_state_parse(json_str(v, "state", ""));
	const char *boot_id = json_str(v, "boot_id", "");

	*claim = (struct claim){
	    .task = json_str(v, "task", ""),
	    .state = state < 0 ? CLAIM_HELD : (enum claim_state)state,
	    .owner = process_parse(v, boot_id),
	    .agent = process_parse(json_object_get(v, "agent"), boot_id),
	    .host = json_str(v, "host", ""),
	    .worktree = json_str(v, "worktree", ""),
	    .since = json_str(v, "since", ""),
	    .note = json_str(v, "note", ""),
	    .lock = json_str(v, "lock", ""),
	};
	return json_is_object(v) && *claim->task != '\0' && state >= 0;
}

bool
claim_is_here(const struct claim *claim)
{
	char host[HOST_NAME_MAX + 1] = "";

	return gethostname(host, sizeof(host) - 1) == 0 && strcmp(host, claim->host) == 0;
}

static bool
somebody_lives(const struct claim *claim)
{
	return proc_id_alive(&claim->owner) ||
	       (claim->agent.pid != 0 && proc_id_alive(&claim->agent)) ||
	       (*claim->lock == '/' && lock_is_held(AT_FDCWD, claim->lock, NULL) > 0);
}

bool
claim_is_void(const struct claim *claim)
{
	return claim->state == CLAIM_HELD && claim->owner.pid != 0 && claim_is_here(claim) &&
	       !somebody_lives(claim);
}

bool
claim_is_owed(const struct claim *claim, bool (*ended_well)(const char *lock))
{
	return claim != NULL && claim_is_void(claim) && *claim->lock == '/' &&
	       ended_well != NULL && ended_well(claim->lock);
}

bool
claim_is_alive(const struct claim *claim)
{
	return claim->state == CLAIM_HELD && claim->owner.pid != 0 &&
	       (!claim_is_here(claim) || somebody_lives(claim));
}

bool
claim_is_of(const struct claim *claim, pid_t process)
{
	return claim != NULL && claim->state == CLAIM_HELD && claim_is_here(claim) &&
	       claim->owner.pid == process && proc_id_alive(&claim->owner);
}

bool
claim_is_anothers(const struct claim *claim, pid_t process)
{
	return claim != NULL && claim->state == CLAIM_HELD && !claim_is_void(claim) &&
	       !claim_is_of(claim, process);
}

void
claim_describe(const struct claim *claim, struct buf *out)
{
	if (claim->owner.pid != 0)
		buf_addf(out, "pid %d%s, ", (int)claim->owner.pid,
		    claim_is_void(claim) ? " (which is gone)" : "");
	if (!claim_is_here(claim)) {
		buf_adds(out, "on ");
		text_show(out, claim->host, strlen(claim->host), false);
		buf_adds(out, ", ");
	}
	text_show(out, claim->worktree, strlen(claim->worktree), false);
	buf_adds(out, ", since ");
	clock_show(claim->since, strlen(claim->since), out);
}

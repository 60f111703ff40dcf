#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/refs.h"
#include "git/repo.h"
#include <errno.h>
#include <fcntl.h>

static int
ticket_check(const struct land_ticket *t, struct err *err)
{
	AUTO_BUF quoted = BUF_INIT;

	if (t == NULL || name_is_valid(t->id))
		return 0;
	text_quote(&quoted, t->id);
	return err_code(err, EINVAL, "%s cannot be a part of paths and branches", quoted.data);
}

bool
site_is_taken(const struct site *s)
{
	return note_is_taken(s->common, s->notes, s->ticket->id, basename(s->path));
}

int
site_is_own(const struct site *s, struct err *err)
{
	const char *place = s->ticket->place != NULL ? s->ticket->place : s->path;

	if (s->note.session != NULL && s->ticket->session != NULL
		? strcmp(s->note.session, s->ticket->session) == 0
		: strcmp(place, s->path) == 0)
		return 0;
	return err_set(err,
	    "%s is another session's by now; what this one did stays in %s, nothing was "
	    "touched",
	    s->ticket->id, place);
}

int
site_open(struct site *s, const struct land_plan *plan, const struct land_ticket *ticket,
    struct err *err)
{
	size_t existing;

	*s = (struct site){.plan = plan, .ticket = ticket, .turn = -1, .trees = RUN_INIT};
	s->target = xasprintf("refs/heads/%s", plan->branch);
	s->queue = xasprintf("refs/ralph/land/%s", plan->branch);
	if (ticket_check(ticket, err) < 0)
		return -1;
	s->common = repo_common(plan->top, err);
	if (s->common == NULL)
		return -1;
	if (ticket == NULL)
		return 0;
	s->dir = path_resolve(plan->dir, &existing, err);
	if (s->dir == NULL)
		return -1;
	s->notes = notes_dir(s->common, plan->key);
	note_load(s->common, s->notes, ticket->id, &s->note);
	site_name(s);
	/* A name that is another ticket's second choice is not our first. */
	while (s->note.state == NOTE_NONE && site_is_taken(s)) {
		s->note.n++;
		site_name(s);
	}
	return 0;
}

void
site_close(struct site *s)
{
	free(s->common);
	free(s->notes);
	free(s->dir);
	free(s->target);
	free(s->queue);
	free(s->own);
	free(s->path);
	free(s->branch);
	note_release(&s->note);
	lock_release(&s->turn);
	run_result_release(&s->trees);
	free(s->b);
	free(s->l);
	free(s->tip);
	free(s->base);
	free(s->checkout);
	free(s->from);
	free(s->to);
	free(s->obstacle);
	free(s->clash);
	free(s->lost);
	free(s->mended);
}

int
site_do(const struct land_plan *plan, const struct land_ticket *ticket,
    enum land_outcome outcome, site_fn *fn, struct land_result *result, struct err *err)
{
	struct site s;
	int rc;

	*result = (struct land_result){.outcome = outcome};
	rc = site_open(&s, plan, ticket, err);
	if (rc == 0)
		rc = fn(&s, result, err);
	if (rc < 0)
		land_result_release(result);
	site_close(&s);
	return rc;
}

void
site_name(struct site *s)
{
	AUTO_BUF name = BUF_INIT;

	note_name(s->ticket->id, s->note.n, &name);
	free(s->path);
	free(s->branch);
	free(s->own);
	s->path = xasprintf("%s/%s", s->dir, name.data);
	s->branch = xasprintf("ralph/%s", name.data);
	s->own = xasprintf("refs/heads/%s", s->branch);
}

/* Takes one line of git's: "<commit> <ref>". */
static void
ref_take(struct site *s, const char *line)
{
	const char *const names[] = {s->target, s->queue, s->own};
	char **const commits[] = {&s->b, &s->l, &s->tip};
	const char *ref = strchr(line, ' ');

	for (size_t i = 0; ref != NULL && i < ARRAY_LEN(names); i++) {
		size_t n = names[i] != NULL ? strlen(names[i]) : 0;

		if (n == 0 || strncmp(ref + 1, names[i], n) != 0)
			continue;
		/* Git lists the refs below a ref's name, too. */
		if (ref[1 + n] != '\0')
			s->blocked |= i == 2;
		else
			*commits[i] = xstrndup(line, (size_t)(ref - line));
	}
}

int
site_refs(struct site *s, struct err *err)
{
	AUTO_FREE char *lines = git_line(s->plan->top, "git for-each-ref",
	    ARGS("for-each-ref", "--format=%(objectname) %(refname)", s->target, s->queue,
		s->own),
	    err);
	char *rest = lines;
	const char *line;

	free(take_ptr(s->b));
	free(take_ptr(s->l));
	free(take_ptr(s->tip));
	s->blocked = false;
	while ((line = strsep(&rest, "\n")) != NULL)
		ref_take(s, line);
	return lines != NULL ? 0 : -1;
}

int
site_trees(struct site *s, struct err *err)
{
	return trees_read(s->plan->top, &s->trees, err);
}

int
site_look(struct site *s, struct err *err)
{
	return site_trees(s, err) < 0 ? -1 : site_refs(s, err);
}

void
site_unlock(const struct site *s)
{
	AUTO_FREE char *ref = xasprintf("%s/%s.lock", s->common, s->own);

	(void)!fs_unlink(AT_FDCWD, ref, NULL);
}

int
site_save_note(struct site *s, enum note_state state, struct err *err)
{
	s->note.state = state;
	s->note.nothing &= state == NOTE_LEAVING || state == NOTE_PAST;
	if (s->ticket->session != NULL)
		xstrset(&s->note.session, s->ticket->session);
	return note_save(s->common, s->notes, s->ticket->id, &s->note, err);
}

int
site_update_refs(const struct site *s, const struct buf *script, struct err *err)
{
	return refs_update(s->plan->top, s->common, NULL, script, err);
}

void
script_set(struct buf *script, const char *ref, const char *to, const char *from)
{
	if (from == NULL)
		buf_addf(script, "create %s %s\n", ref, to);
	else
		buf_addf(script, "update %s %s %s\n", ref, to, from);
}

int
site_set_own(struct site *s, const char *commit, struct err *err)
{
	AUTO_BUF script = BUF_INIT;

	script_set(&script, s->own, commit, s->tip);
	if (!text_same(s->tip, commit) && site_update_refs(s, &script, err) < 0)
		return -1;
	xstrset(&s->tip, commit);
	return 0;
}

bool
site_has(const struct site *s, const char *in, const char *commit)
{
	if (in == NULL)
		return false;
	return strcmp(in, commit) == 0 ||
	       git_yes(s->plan->top, ARGS("merge-base", "--is-ancestor", commit, in));
}

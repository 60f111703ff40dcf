/*
 * patient.c - a loop whose record is damaged.
 */
#include "loops/patient.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "loops/loop_view.h"
#include "record/codec.h"
#include "record/home.h"
#include "record/registry.h"
#include "session/session.h"
#include <errno.h>

/* A newer version's settings are not damaged. */
static int
read_settings(struct patient *p, struct err *err)
{
	struct err why = ERR_INIT;

	if (spec_load(p->dir, &p->settings, &why) == 0)
		return 0;
	if (why.code == EBADMSG) {
		p->unset = xstrdup(why.text);
		return 0;
	}
	return err_pass(err, &why);
}

int
patient_open(struct patient *p, const char *name, struct err *err)
{
	int held;

	p->name = name;
	p->dir = p->lock = -1;
	buf_init(&p->kept);
	p->home = home_open_existing(err);
	if (p->home < 0 || (p->dir = home_loop_open(p->home, name, err)) < 0)
		return -1;
	held = lock_is_held(p->dir, "lock", err);
	if (held < 0)
		return -1;
	if (held == 1)
		return err_set(err,
		    "loop '%s' is running, and its supervisor knows more than its files; end "
		    "it first: ralph stop %s",
		    name, name);
	return read_settings(p, err);
}

void
patient_close(struct patient *p)
{
	lock_release(&p->lock);
	if (p->planned)
		repair_release(&p->plan);
	settings_release(&p->settings);
	strlist_free(p->later);
	free(p->unset);
	buf_release(&p->kept);
	if (p->dir >= 0)
		close(p->dir);
	if (p->home >= 0)
		close(p->home);
}

/* ---- sessions ------------------------------------------------------------------------ */

static bool
is_known(const struct loop_state *s, const char *id)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (s->sessions[i].state != SESSION_FREE && strcmp(s->sessions[i].id, id) == 0)
			return true;
	return false;
}

/* "UID-12": the number behind the last dash; 0 when there is none. */
static int64_t
session_number(const char *id)
{
	const char *dash = strrchr(id, '-');

	return dash == NULL ? 0 : strtoll(dash + 1, NULL, 10);
}

/* Finds sessions that began behind the last line that is trusted: the loop would give their
 * numbers away again.  A session that still runs would get a second agent beside it. */
static int
look_at_sessions(struct patient *p, struct err *err)
{
	AUTO_CLOSE int sessions = fs_open_dir(p->dir, "sessions", NULL);
	AUTO_STRLIST ids = NULL;

	p->later = xcalloc(1, sizeof(*p->later));
	if (sessions < 0)
		return 0;
	if (fs_list(p->dir, "sessions", &ids, err) < 0)
		return -1;
	for (size_t i = 0; ids[i] != NULL; i++) {
		struct session_info info;

		if ((p->unset == NULL && is_known(&p->plan.state, ids[i])) ||
		    strstr(ids[i], ".corrupt.") != NULL)
			continue;
		p->unknown |=
		    session_info(sessions, ids[i], &info, NULL) == 0 && info.keeper_alive;
		if (session_number(ids[i]) > p->plan.state.iteration)
			p->later = strlist_add(p->later, ids[i]);
	}
	return 0;
}

int
patient_examine(struct patient *p, struct err *err)
{
	if (repair_plan(p->dir, &p->settings, &p->plan, err) < 0)
		return -1;
	p->planned = true;
	return look_at_sessions(p, err);
}

bool
patient_is_damaged(const struct patient *p)
{
	return p->plan.line > 0 || p->unset != NULL;
}

bool
patient_is_hopeless(const struct patient *p)
{
	return p->plan.state.phase == PHASE_NEW || p->unset != NULL;
}

/* ---- treatment ----------------------------------------------------------------------- */

static int
set_sessions_aside(const struct patient *p, struct err *err)
{
	AUTO_CLOSE int sessions = fs_open_dir(p->dir, "sessions", NULL);

	for (size_t i = 0; p->later[i] != NULL && sessions >= 0; i++)
		if (session_sweep(sessions, p->later[i], err) < 0 ||
		    fs_move_aside(sessions, p->later[i], NULL, err) < 0)
			return -1;
	return 0;
}

int
patient_treat(struct patient *p, struct err *err)
{
	p->lock = loop_claim(p->home, p->dir, p->name, err);
	if (p->lock < 0)
		return -1;
	repair_release(&p->plan);
	p->planned = false;
	strlist_free(take_ptr(p->later));
	p->unknown = false;
	if (patient_examine(p, err) < 0)
		return -1;
	if (p->unknown)
		return err_set(err,
		    "an agent runs that nobody could go on with; end it first: ralph stop %s",
		    p->name);
	if (patient_is_hopeless(p))
		return home_archive(p->home, p->name, err) < 0 ||
			       registry_remove(p->home, p->name, err) < 0
			   ? -1
			   : 0;
	/* The journal last: until then it is refused, and all of this can be done again. */
	if (set_sessions_aside(p, err) < 0)
		return -1;
	return repair_do(p->dir, &p->plan, &p->kept, err);
}

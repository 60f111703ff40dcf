/*
 * window.c - a loop's tmux window.
 */
#include "supervisor/window.h"
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/process/program.h"
#include "record/home.h"
#include "session/tmux.h"

/* Ourselves, by a name that a tmux server can execute. */
static char *
own_name(void)
{
	struct program *self = program_self();

	return self == NULL ? xstrdup("ralph") : program_name(self);
}

/* A server that does not answer now may still have it. */
static bool
window_lives(struct running *r)
{
	return r->sup->window.id[0] != '\0' && tmux_server_alive(&r->sup->window) &&
	       tmux_window_alive(&r->sup->window, NULL) != 0;
}

int
window_open(struct running *r, struct err *err)
{
	const struct settings *s = &r->settings;
	AUTO_FREE char *self = NULL;
	AUTO_FREE char *home = NULL;
	AUTO_FREE char *name = NULL;
	static char view[] = "view", opt[] = "--home";

	if (!s->tmux)
		return 0;
	/* A former supervisor's window is as good as a new one. */
	if (r->sup->window.id[0] == '\0' && tmux_window_load(r->dir, &r->sup->window, NULL) < 0)
		memset(&r->sup->window, 0, sizeof(r->sup->window));
	if (window_lives(r))
		return 0;
	memset(&r->sup->window, 0, sizeof(r->sup->window));
	(void)snprintf(r->sup->window.socket, sizeof(r->sup->window.socket), "%s",
	    s->tmux_socket == NULL ? "" : s->tmux_socket);
	(void)snprintf(r->sup->window.session, sizeof(r->sup->window.session), "%s",
	    s->tmux_session == NULL ? "swarm" : s->tmux_session);
	(void)snprintf(r->sup->window.name, sizeof(r->sup->window.name), "%s", r->spec->name);
	self = own_name();
	home = xstrdup(home_path());
	name = xstrdup(r->spec->name);
	if (tmux_window_open(&r->sup->window, s->cwd,
		(char *const[]){self, view, opt, home, name, NULL}, err) < 0)
		return err_prefix(err, "failed to create tmux window");
	return tmux_window_save(r->dir, &r->sup->window, err);
}

void
window_check(struct running *r)
{
	struct err err = ERR_INIT;

	/* Asking tmux takes time, and all the time there is when its server stands still: so
	 * only when the viewer has said that its window is gone, or the server is. */
	if (!r->settings.tmux || (!r->sup->window_gone && tmux_server_alive(&r->sup->window)))
		return;
	if (window_open(r, &err) < 0)
		warning("%s: %s", r->spec->name, err.text);
	else
		r->sup->window_gone = false;
}

void
window_close(struct running *r)
{
	struct err err = ERR_INIT;

	if (r->settings.tmux && r->sup->window.id[0] != '\0' &&
	    tmux_window_close(&r->sup->window, &err) < 0)
		debug("%s: %s", r->spec->name, err.text);
}

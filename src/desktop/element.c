#include "desktop/element.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "desktop/access.h"
#include "desktop/pick.h"
#include "desktop/pointer.h"
#include <errno.h>

/* Objects that are looked at; a browser's page has thousands. */
#define LOOK_MAX 50000
#define LISTED 6

struct element {
	struct accessible object;
	char *name, *role, *window;
	uint64_t states;
	int actions;
};

struct search {
	struct access access;
	const struct element_click *what;
	struct element *found;
	size_t n, looked;
	struct buf silent; /* programs that did not answer, for a sentence */
	bool any_title;	   /* the program calls its window otherwise than the window does */
	bool seen;	   /* a window was looked into */
};

/* An object that is still to be looked at, and the name of the window that it is in. */
struct todo {
	struct accessible object;
	char *window;
	unsigned depth; /* 1: a window of the program */
};

struct todos {
	struct todo *list;
	size_t n;
};

static void
todo_release(struct todo *t)
{
	accessible_release(&t->object);
	free(t->window);
}

static void
todos_add(struct todos *todos, struct accessibles *children, const struct todo *parent,
    const char *name)
{
	todos->list =
	    xreallocarray(todos->list, todos->n + children->n + 1, sizeof(*todos->list));
	for (size_t i = children->n; i-- > 0;)
		todos->list[todos->n++] = (struct todo){
		    .object = children->list[i],
		    .window = xstrdup(parent->depth == 1 ? name : parent->window),
		    .depth = parent->depth + 1,
		};
	free(children->list); /* the objects have moved */
}

/* Takes note of an object that may be meant; `name` is given away. */
static int
element_consider(struct search *s, const struct todo *at, char *name, struct err *err)
{
	struct element e = {.name = name};

	if (strstr(name, s->what->name) == NULL ||
	    access_states(&s->access, &at->object, &e.states, err) < 0 ||
	    (e.states & STATE_SHOWING) == 0 ||
	    access_role(&s->access, &at->object, &e.role, err) < 0 ||
	    (s->what->role != NULL && strcasecmp(e.role, s->what->role) != 0) ||
	    (e.actions = access_actions(&s->access, &at->object, err)) < 0) {
		free(e.name);
		free(e.role);
		return err->code == ETIMEDOUT ? -1 : 0;
	}
	e.object = (struct accessible){xstrdup(at->object.bus), xstrdup(at->object.path)};
	e.window = xstrdup(at->window);
	s->found = xreallocarray(s->found, s->n + 1, sizeof(*s->found));
	s->found[s->n++] = e;
	return 0;
}

/* -1: the program does not answer.  What vanished in the meantime is no loss. */
static int
element_look(struct search *s, struct todos *todos, const struct todo *at, struct err *err)
{
	const struct toplevel *w = s->what->window;
	struct accessibles children;
	char *name;

	s->looked++;
	if (access_name(&s->access, &at->object, &name, err) < 0)
		return err->code == ETIMEDOUT ? -1 : 0;
	if (at->depth == 1 && w != NULL && !s->any_title && strcmp(name, w->title) != 0) {
		free(name); /* another window of that program */
		return 0;
	}
	s->seen = s->seen || at->depth == 1;
	if (access_children(&s->access, &at->object, &children, err) == 0)
		todos_add(todos, &children, at, name);
	else if (err->code == ETIMEDOUT) {
		free(name);
		return -1;
	}
	if (at->depth > 1)
		return element_consider(s, at, name, err);
	free(name);
	return 0;
}

static void
search_program(struct search *s, const struct accessible *program)
{
	struct todos todos = {xcalloc(1, sizeof(struct todo)), 1};
	uint32_t pid = 0;
	int rc = 0;

	todos.list[0] = (struct todo){
	    .object = {xstrdup(program->bus), xstrdup(program->path)}, .window = xstrdup("")};
	if (access_pid(&s->access, program, &pid, NULL) < 0)
		pid = 0;
	if (s->what->window != NULL && s->what->window->pid != 0 && pid != 0 &&
	    s->what->window->pid != pid)
		rc = 1; /* the window is another program's */
	while (rc == 0 && todos.n > 0 && s->looked < LOOK_MAX) {
		struct todo at = todos.list[--todos.n];
		struct err err = ERR_INIT;

		rc = element_look(s, &todos, &at, &err);
		todo_release(&at);
	}
	if (rc < 0)
		buf_addf(&s->silent, "%sprocess %u", s->silent.len > 0 ? ", " : "", pid);
	for (size_t i = 0; i < todos.n; i++)
		todo_release(&todos.list[i]);
	free(todos.list);
}

static void
search_release(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		accessible_release(&s->found[i].object);
		free(s->found[i].name);
		free(s->found[i].role);
		free(s->found[i].window);
	}
	free(s->found);
	buf_release(&s->silent);
	access_close(&s->access);
}

static int
say_none(const struct search *s, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	bool late = s->silent.len > 0 || clock_boot() >= s->access.deadline;

	buf_adds(&text, "no element that is shown has the name ");
	text_quote(&text, s->what->name);
	if (s->what->role != NULL) {
		buf_adds(&text, " and the role ");
		text_quote(&text, s->what->role);
	}
	if (s->what->window != NULL) {
		buf_adds(&text, " in the window ");
		text_quote(&text, s->what->window->title);
	}
	if (s->silent.len > 0)
		buf_addf(&text, "; %s did not answer", s->silent.data);
	return err_code(err, late ? ETIMEDOUT : ENOENT, "%s", text.data);
}

static int
say_many(const struct search *s, const size_t *found, size_t n, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	text_quote(&text, s->what->name);
	buf_addf(&text, " could mean %zu elements:", n);
	for (size_t i = 0; i < n && i < LISTED; i++) {
		const struct element *e = &s->found[found[i]];

		buf_adds(&text, i > 0 ? ", " : " ");
		text_quote(&text, e->name);
		buf_addf(&text, " (");
		text_show(&text, e->role, strlen(e->role), false);
		buf_adds(&text, " in ");
		text_quote(&text, e->window);
		buf_addc(&text, ')');
	}
	buf_adds(&text, n > LISTED ? ", ..." : "");
	return err_set(err, "%s; say more with --role or --window", text.data);
}

/* The element that is meant. */
static const struct element *
element_choose(const struct search *s, struct err *err)
{
	AUTO_FREE const char **names = xcalloc(s->n + 1, sizeof(*names));
	AUTO_FREE size_t *found = xcalloc(s->n + 1, sizeof(*found));
	bool any = false;
	size_t n;

	for (size_t i = 0; i < s->n; i++)
		any = any || s->found[i].actions > 0;
	/* A label that stands beside or in its button has the same name. */
	for (size_t i = 0; i < s->n; i++)
		names[i] = any && s->found[i].actions == 0 ? NULL : s->found[i].name;
	n = pick_by_name(names, s->n, s->what->name, found);
	if (n == 1)
		return &s->found[found[0]];
	if (n == 0)
		(void)say_none(s, err);
	else
		(void)say_many(s, found, n, err);
	return NULL;
}

static int
click(const struct display *d, const struct search *s, const struct element *e, struct err *err)
{
	int32_t at[4];

	if (e->actions > 0 && (e->states & STATE_SENSITIVE) == 0)
		return err_set(err, "it is disabled");
	if (e->actions > 0 && s->what->button == XCB_BUTTON_INDEX_1 && s->what->times == 1)
		return access_act(&s->access, &e->object, err);
	if (s->what->window != NULL && toplevel_focus(d, s->what->window, err) < 0)
		return -1;
	if (access_extents(&s->access, &e->object, at, err) < 0)
		return -1;
	return pointer_click(d, s->what->window, at[0] + at[2] / 2, at[1] + at[3] / 2,
	    s->what->button, s->what->times, err);
}

int
element_click(const struct display *d, const struct element_click *what, struct err *err)
{
	struct search s = {.what = what, .silent = BUF_INIT};
	struct accessibles programs = {0};
	const struct element *e;
	int rc = access_open(&s.access, d, err);

	if (rc == 0)
		rc = access_programs(&s.access, &programs, err);
	for (size_t i = 0; rc == 0 && i < programs.n; i++)
		search_program(&s, &programs.list[i]);
	if (what->window != NULL && what->window->pid != 0 && !s.seen) {
		s.any_title = true;
		for (size_t i = 0; rc == 0 && i < programs.n; i++)
			search_program(&s, &programs.list[i]);
	}
	accessibles_release(&programs);
	e = rc == 0 ? element_choose(&s, err) : NULL;
	rc = e == NULL ? -1 : click(d, &s, e, err);
	if (e != NULL && rc < 0) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, e->name);
		(void)err_prefix(err, "%s could not be clicked", shown.data);
	}
	search_release(&s);
	return rc;
}

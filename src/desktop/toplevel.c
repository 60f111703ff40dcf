#include "desktop/toplevel.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/text.h"
#include "desktop/pick.h"

/* Candidates that a sentence lists; the rest are counted. */
#define LISTED 6

int
toplevel_place(const struct display *d, struct toplevel *w, struct err *err)
{
	AUTO_FREE xcb_get_geometry_reply_t *g =
	    xcb_get_geometry_reply(d->c, xcb_get_geometry(d->c, w->id), NULL);
	AUTO_FREE xcb_translate_coordinates_reply_t *at = xcb_translate_coordinates_reply(
	    d->c, xcb_translate_coordinates(d->c, w->id, d->root, 0, 0), NULL);

	if (g == NULL || at == NULL)
		return err_set(err, "the window is gone");
	w->x = at->dst_x;
	w->y = at->dst_y;
	w->width = g->width;
	w->height = g->height;
	return 0;
}

static void
toplevels_add(
    const struct display *d, struct toplevels *ws, xcb_window_t id, xcb_window_t active)
{
	struct toplevel w = {.id = id, .active = id == active};

	if (toplevel_place(d, &w, NULL) < 0)
		return; /* in the meantime */
	w.pid = display_number(d, id, d->atoms[ATOM_NET_WM_PID]);
	w.title = display_text(d, id, d->atoms[ATOM_NET_WM_NAME]);
	if (w.title == NULL)
		w.title = display_text(d, id, XCB_ATOM_WM_NAME);
	if (w.title == NULL)
		w.title = xstrdup("");
	ws->list = xreallocarray(ws->list, ws->n + 1, sizeof(*ws->list));
	ws->list[ws->n++] = w;
}

static bool
is_seen(const struct display *d, xcb_window_t id)
{
	AUTO_FREE xcb_get_window_attributes_reply_t *a =
	    xcb_get_window_attributes_reply(d->c, xcb_get_window_attributes(d->c, id), NULL);

	return a != NULL && a->map_state == XCB_MAP_STATE_VIEWABLE &&
	       a->override_redirect == 0 && a->_class == XCB_WINDOW_CLASS_INPUT_OUTPUT;
}

static void
list_children(const struct display *d, struct toplevels *ws, xcb_window_t active)
{
	AUTO_FREE xcb_query_tree_reply_t *tree =
	    xcb_query_tree_reply(d->c, xcb_query_tree(d->c, d->root), NULL);
	const xcb_window_t *children = tree == NULL ? NULL : xcb_query_tree_children(tree);
	int n = tree == NULL ? 0 : xcb_query_tree_children_length(tree);

	for (int i = 0; i < n; i++)
		if (is_seen(d, children[i]))
			toplevels_add(d, ws, children[i], active);
}

void
toplevels_list(const struct display *d, struct toplevels *ws)
{
	AUTO_FREE char *manager = display_manager(d);
	xcb_window_t active = toplevel_active(d);
	AUTO_BUF ids = BUF_INIT;

	*ws = (struct toplevels){0};
	if (manager == NULL) {
		list_children(d, ws, active);
		return;
	}
	(void)display_property(
	    d, d->root, d->atoms[ATOM_NET_CLIENT_LIST], XCB_ATOM_WINDOW, 32, &ids);
	for (size_t i = 0; i + sizeof(xcb_window_t) <= ids.len; i += sizeof(xcb_window_t)) {
		xcb_window_t id;

		memcpy(&id, ids.data + i, sizeof(id));
		toplevels_add(d, ws, id, active);
	}
}

void
toplevels_release(struct toplevels *ws)
{
	for (size_t i = 0; i < ws->n; i++)
		free(ws->list[i].title);
	free(ws->list);
	*ws = (struct toplevels){0};
}

static const struct toplevel *
find_id(const struct toplevels *ws, const char *wanted)
{
	char *end;
	unsigned long id;

	if (strncmp(wanted, "0x", 2) != 0)
		return NULL;
	id = strtoul(wanted, &end, 16);
	for (size_t i = 0; i < ws->n && *end == '\0'; i++)
		if (ws->list[i].id == id)
			return &ws->list[i];
	return NULL;
}

static void
say_ambiguous(const struct toplevels *ws, const char *wanted, const size_t *found, size_t n,
    struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	text_quote(&text, wanted);
	buf_addf(&text, " could mean %zu windows:", n);
	for (size_t i = 0; i < n && i < LISTED; i++) {
		buf_addf(&text, "%s 0x%x ", i > 0 ? "," : "", ws->list[found[i]].id);
		text_quote(&text, ws->list[found[i]].title);
	}
	buf_adds(&text, n > LISTED ? ", ..." : "");
	(void)err_set(err, "%s; give a whole title, or an id", text.data);
}

const struct toplevel *
toplevels_find(const struct toplevels *ws, const char *wanted, struct err *err)
{
	const struct toplevel *by_id = find_id(ws, wanted);
	AUTO_FREE const char **titles = xcalloc(ws->n + 1, sizeof(*titles));
	AUTO_FREE size_t *found = xcalloc(ws->n + 1, sizeof(*found));
	AUTO_BUF shown = BUF_INIT;
	size_t n;

	if (by_id != NULL)
		return by_id;
	for (size_t i = 0; i < ws->n; i++)
		titles[i] = ws->list[i].title;
	n = pick_by_name(titles, ws->n, wanted, found);
	if (n == 1)
		return &ws->list[found[0]];
	if (n > 1) {
		say_ambiguous(ws, wanted, found, n, err);
		return NULL;
	}
	text_quote(&shown, wanted);
	(void)err_set(
	    err, "no window has the title %s; 'ralph desktop windows' lists them", shown.data);
	return NULL;
}

static json_t *
to_json(const struct toplevel *w)
{
	char id[16];

	(void)snprintf(id, sizeof(id), "0x%x", w->id);
	return json_pack("{s:s,s:o,s:o,s:i,s:i,s:i,s:i,s:b}", "id", id, "pid",
	    w->pid > 0 ? json_integer(w->pid) : json_null(), "title",
	    json_text(w->title, strlen(w->title)), "x", w->x, "y", w->y, "width", w->width,
	    "height", w->height, "active", w->active);
}

void
toplevels_print(const struct toplevels *ws, bool json, struct buf *out)
{
	if (json) {
		json_t *list = json_array();
		AUTO_JSON *v = json_pack("{s:b,s:o}", "ok", 1, "windows", list);

		for (size_t i = 0; i < ws->n; i++)
			(void)json_array_append_new(list, to_json(&ws->list[i]));
		json_print(v, false, out);
		buf_addc(out, '\n');
		return;
	}
	for (size_t i = 0; i < ws->n; i++) {
		const struct toplevel *w = &ws->list[i];
		AUTO_BUF place = BUF_INIT;
		AUTO_BUF pid = BUF_INIT;

		buf_addf(&place, "%dx%d%+d%+d", w->width, w->height, w->x, w->y);
		if (w->pid > 0)
			buf_addf(&pid, "%u", w->pid);
		buf_addf(out, "%-10s 0x%-8x %7s  %-20s ", w->active ? "active" : "", w->id,
		    w->pid > 0 ? pid.data : "-", place.data);
		text_show(out, w->title, strlen(w->title), false);
		buf_addc(out, '\n');
	}
}

xcb_window_t
toplevel_frame(const struct display *d, xcb_window_t w)
{
	for (;;) {
		AUTO_FREE xcb_query_tree_reply_t *tree =
		    xcb_query_tree_reply(d->c, xcb_query_tree(d->c, w), NULL);

		if (tree == NULL || tree->parent == d->root || tree->parent == XCB_NONE)
			return w;
		w = tree->parent;
	}
}

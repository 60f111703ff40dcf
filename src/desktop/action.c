#include "desktop/action.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "desktop/access.h"
#include "desktop/audit.h"
#include "desktop/element.h"
#include "desktop/keyboard.h"
#include "desktop/pointer.h"
#include "desktop/shot.h"
#include <errno.h>
#include <fcntl.h>

#define AUTO_TOPLEVELS __attribute__((cleanup(toplevels_release))) struct toplevels

static const char *const button_names[] = {
    [BUTTON_LEFT] = "left", [BUTTON_MIDDLE] = "middle", [BUTTON_RIGHT] = "right"};

static int
need_input(const struct display *d, struct err *err)
{
	if (pointer_available(d))
		return 0;
	return err_code(err, ENXIO,
	    "the display has no XTEST, without which nothing can be clicked or typed");
}

/* The window that a title means; *w is NULL when none was asked for. */
static int
find_window(const struct display *d, const char *title, struct toplevels *ws,
    const struct toplevel **w, struct err *err)
{
	*w = NULL;
	if (title == NULL)
		return 0;
	toplevels_list(d, ws);
	*w = toplevels_find(ws, title, err);
	return *w == NULL ? -1 : 0;
}

/* ---- the actions --------------------------------------------------------------------- */

static int
action_save(const char *path, const struct buf *png, struct buf *out, struct err *err)
{
	AUTO_FREE char *parent = fs_parent(path);
	AUTO_CLOSE int dir = -1;

	if (strcmp(path, "-") == 0)
		return fs_append(STDOUT_FILENO, "stdout", png->data, png->len, FS_NOSYNC, err);
	dir = fs_open_dir(AT_FDCWD, parent, err);
	if (dir < 0 || fs_replace(dir, basename(path), png->data, png->len, FS_SYNC, err) < 0)
		return -1;
	text_show(out, path, strlen(path), false);
	buf_addc(out, '\n');
	return 0;
}

static int
screenshot(const struct display *d, const struct action *a, struct buf *out, struct err *err)
{
	const char *path = desktop_operand(a->operands, 0);
	AUTO_TOPLEVELS ws = {0};
	AUTO_BUF png = BUF_INIT;
	AUTO_BUF name = BUF_INIT;
	const struct toplevel *w;

	if (find_window(d, a->options->window, &ws, &w, err) < 0 ||
	    shot_png(d, w, &png, err) < 0)
		return -1;
	if (path == NULL) {
		buf_adds(&name, "screenshot-");
		clock_fmt_stamp(clock_wall(), &name);
		buf_adds(&name, ".png");
		path = name.data;
	}
	return action_save(path, &png, out, err);
}

static int
list_windows(const struct display *d, const struct action *a, struct buf *out, struct err *err)
{
	AUTO_TOPLEVELS ws = {0};

	(void)err;
	toplevels_list(d, &ws);
	toplevels_print(&ws, a->options->json, out);
	return 0;
}

static int
focus(const struct display *d, const struct action *a, struct buf *out, struct err *err)
{
	AUTO_TOPLEVELS ws = {0};
	const struct toplevel *w;

	(void)out;
	if (find_window(d, desktop_operand(a->operands, 0), &ws, &w, err) < 0)
		return -1;
	return toplevel_focus(d, w, err);
}

/* X and Y count from the window's corner, if there is one. */
static int
click_place(const struct display *d, const struct toplevel *w, int x, int y, unsigned button,
    unsigned times, struct err *err)
{
	struct toplevel now;

	if (w == NULL)
		return pointer_click(d, NULL, x, y, button, times, err);
	now = *w;
	if (toplevel_focus(d, w, err) < 0 || toplevel_place(d, &now, err) < 0)
		return -1;
	if (x >= now.width || y >= now.height)
		return err_set(err, "%d,%d is not in the window, which is %d by %d", x, y,
		    now.width, now.height);
	return pointer_click(d, w, now.x + x, now.y + y, button, times, err);
}

static int
action_click(const struct display *d, const struct action *a, struct buf *out, struct err *err)
{
	const struct desktop_options *o = a->options;
	unsigned button = (unsigned)o->button + XCB_BUTTON_INDEX_1;
	unsigned times = o->twice ? 2 : 1;
	AUTO_TOPLEVELS ws = {0};
	const struct toplevel *w;
	int x = 0, y = 0;

	(void)out;
	if (need_input(d, err) < 0 || find_window(d, o->window, &ws, &w, err) < 0)
		return -1;
	if (o->element != NULL)
		return element_click(
		    d, &(struct element_click){o->element, o->role, w, button, times}, err);
	if (desktop_coordinate(desktop_operand(a->operands, 0), &x, err) < 0 ||
	    desktop_coordinate(desktop_operand(a->operands, 1), &y, err) < 0)
		return -1;
	return click_place(d, w, x, y, button, times, err);
}

static int
type(const struct display *d, const struct action *a, struct buf *out, struct err *err)
{
	AUTO_TOPLEVELS ws = {0};
	const struct toplevel *w;

	(void)out;
	if (need_input(d, err) < 0 || find_window(d, a->options->window, &ws, &w, err) < 0 ||
	    (w != NULL && toplevel_focus(d, w, err) < 0))
		return -1;
	return keyboard_type(d, a->text->data, a->text->len, err);
}

static void
print_check(
    const struct display *d, const char *manager, bool input, bool elements, struct buf *out)
{
	const char *name = getenv("DISPLAY");

	buf_adds(out, "screen           yes: ");
	text_show(out, name, strlen(name), false);
	buf_addf(out, ", %d by %d pixels\nwindow manager   ", d->screen->width_in_pixels,
	    d->screen->height_in_pixels);
	buf_adds(
	    out, manager == NULL ? "no: windows are found, but 'focus' is a guess" : "yes: ");
	if (manager != NULL)
		text_show(out, manager, strlen(manager), false);
	buf_addf(out, "\nclick, type      %s\n", input ? "yes" : "no: the display lacks XTEST");
	buf_addf(out, "click --element  %s\n",
	    elements ? "yes" : "no: there is no accessibility bus (at-spi2-core)");
}

static int
action_check(const struct display *d, const struct action *a, struct buf *out, struct err *err)
{
	AUTO_FREE char *manager = display_manager(d);
	bool input = pointer_available(d);
	struct display hurried = *d;
	struct access bus;
	bool elements;

	(void)err;
	/* A bus that hangs must not hide that the display is there. */
	hurried.deadline -= (d->deadline - clock_boot()) / 2;
	elements = access_open(&bus, &hurried, NULL) == 0;
	access_close(&bus);
	if (a->options->json) {
		AUTO_JSON *v = json_pack("{s:b,s:o,s:i,s:i,s:o,s:b,s:b}", "ok", 1, "display",
		    json_or_null(getenv("DISPLAY")), "width", d->screen->width_in_pixels,
		    "height", d->screen->height_in_pixels, "window_manager",
		    json_or_null(manager), "input", input, "elements", elements);

		json_print(v, false, out);
		buf_addc(out, '\n');
	} else {
		print_check(d, manager, input, elements, out);
	}
	return 0;
}

int
action_run(const void *arg, struct buf *out, struct err *err)
{
	static int (*const actions[])(
	    const struct display *, const struct action *, struct buf *, struct err *) = {
	    [DESKTOP_SCREENSHOT] = screenshot,
	    [DESKTOP_WINDOWS] = list_windows,
	    [DESKTOP_FOCUS] = focus,
	    [DESKTOP_CLICK] = action_click,
	    [DESKTOP_TYPE] = type,
	    [DESKTOP_CHECK] = action_check,
	};
	const struct action *a = arg;
	struct display d;
	int rc;

	if (display_open(&d, a->deadline, err) < 0)
		return -1;
	rc = actions[a->id](&d, a, out, err);
	if (xcb_connection_has_error(d.c) != 0 && rc == 0)
		rc = err_code(err, ENXIO, "the display went away");
	display_close(&d);
	return rc;
}

/* ---- the log ------------------------------------------------------------------------- */

json_t *
action_args(const struct action *a)
{
	const struct desktop_options *o = a->options;
	json_t *args = json_object();
	int x, y;

	if (a->id == DESKTOP_FOCUS)
		json_put(args, "title", desktop_operand(a->operands, 0));
	if (a->id == DESKTOP_SCREENSHOT)
		json_put(args, "file", desktop_operand(a->operands, 0));
	if (a->id == DESKTOP_TYPE)
		audit_typed(args, a->text->data, a->text->len, o->log_text);
	if (a->id == DESKTOP_CLICK && o->element == NULL &&
	    desktop_coordinate(desktop_operand(a->operands, 0), &x, NULL) == 0 &&
	    desktop_coordinate(desktop_operand(a->operands, 1), &y, NULL) == 0) {
		(void)json_object_set_new(args, "x", json_integer(x));
		(void)json_object_set_new(args, "y", json_integer(y));
	}
	json_put(args, "element", o->element);
	json_put(args, "role", o->role);
	json_put(args, "window", o->window);
	if (a->id == DESKTOP_CLICK)
		json_put(args, "button", button_names[o->button]);
	if (o->twice)
		(void)json_object_set_new(args, "double", json_true());
	return args;
}

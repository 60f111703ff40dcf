/*
 * options.h - what can be asked of the desktop, as tables that ralph and its helper share.
 *
 * `ralph desktop ACTION ...` checks the words with these tables (and makes help, completion and
 * manual from them), then becomes `ralph-desktop ACTION ...`, which reads the same words with
 * the same tables.  Nothing here needs X.
 */
#ifndef DESKTOP_OPTIONS_H
#define DESKTOP_OPTIONS_H

#include "base/opts.h"

enum desktop_id {
	DESKTOP_SCREENSHOT,
	DESKTOP_WINDOWS,
	DESKTOP_FOCUS,
	DESKTOP_CLICK,
	DESKTOP_TYPE,
	DESKTOP_CHECK,
};

enum desktop_button { BUTTON_LEFT, BUTTON_MIDDLE, BUTTON_RIGHT };

struct desktop_options {
	char *window, *element, *role, *project;
	int64_t timeout; /* ns, for the whole action */
	int button;	 /* enum desktop_button */
	bool twice, json, log_text, from_stdin;
};

extern const struct opt desktop_screenshot_opts[3];
extern const struct opt desktop_windows_opts[3];
extern const struct opt desktop_focus_opts[2];
extern const struct opt desktop_click_opts[7];
extern const struct opt desktop_type_opts[5];
extern const struct opt desktop_check_opts[2];

struct desktop_action {
	const char *name;
	enum desktop_id id;
	const struct opt *opts;
	size_t nopts;
	bool dashes; /* the operand is a text, which may begin with a dash */
};

const struct desktop_action *desktop_action_find(const char *name); /* NULL when unknown */

/* An operand may stand before or behind "--". */
const char *desktop_operand(const struct operands *o, size_t i); /* NULL past the last */

/* Checks what the tables cannot say: operands and options that belong together.  -1: a usage
 * error. */
int desktop_options_check(enum desktop_id id, const struct desktop_options *options,
    const struct operands *o, struct err *err) NODISCARD;
/* A place of `click X Y`, 0 to 65535. */
int desktop_coordinate(const char *s, int *value, struct err *err) NODISCARD;

#endif

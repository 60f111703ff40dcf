#include "desktop/options.h"

#include "base/clock.h"
#include "base/text.h"
#include <errno.h>

#define COORDINATE_MAX 65535

#define OPTIONS struct desktop_options
#define PROJECT_ROW                                                   \
	ROW_TEXT("project", project, "DIR",                           \
	    "whose ai/logs/pc-automation.log gets the line about it", \
	    .dflt = "the nearest directory with ai or .git")
#define TIMEOUT_ROW                              \
	ROW_SPAN("timeout", timeout, "DURATION", \
	    "give up after that long, whatever does not answer", .usual = "10s")
#define WINDOW_ROW(text) ROW_TEXT("window", window, "TITLE", text, .letter = 'w')
#define JSON_ROW ROW_FLAG("json", json, "print it as JSON")

const struct opt desktop_screenshot_opts[] = {
    WINDOW_ROW("only the inside of that window, which is brought to the front"),
    PROJECT_ROW,
    TIMEOUT_ROW,
};

const struct opt desktop_windows_opts[] = {JSON_ROW, PROJECT_ROW, TIMEOUT_ROW};

const struct opt desktop_focus_opts[] = {PROJECT_ROW, TIMEOUT_ROW};

const struct opt desktop_click_opts[] = {
    ROW_TEXT("element", element, "NAME",
	"click what has this name (a button's label), instead of a place", .letter = 'e'),
    ROW_TEXT("role", role, "ROLE",
	"only elements of that kind, such as 'push button' or 'menu item'"),
    WINDOW_ROW("in that window: X and Y count from its inside's upper left corner"),
    ROW_CHOICE("button", button, "BUTTON", "left|middle|right", "which button of the mouse",
	.dflt = "left"),
    ROW_FLAG("double", twice, "click twice"),
    PROJECT_ROW,
    TIMEOUT_ROW,
};

const struct opt desktop_type_opts[] = {
    WINDOW_ROW("bring that window to the front first"),
    ROW_FLAG("stdin", from_stdin, "type what standard input says, instead of TEXT"),
    ROW_FLAG("log-text", log_text,
	"log the first 50 characters, too; usually only how many they were"),
    PROJECT_ROW,
    TIMEOUT_ROW,
};

const struct opt desktop_check_opts[] = {JSON_ROW, TIMEOUT_ROW};

static const struct desktop_action actions[] = {
    {"screenshot", DESKTOP_SCREENSHOT, desktop_screenshot_opts,
	ARRAY_LEN(desktop_screenshot_opts), false},
    {"windows", DESKTOP_WINDOWS, desktop_windows_opts, ARRAY_LEN(desktop_windows_opts), false},
    {"focus", DESKTOP_FOCUS, desktop_focus_opts, ARRAY_LEN(desktop_focus_opts), false},
    {"click", DESKTOP_CLICK, desktop_click_opts, ARRAY_LEN(desktop_click_opts), false},
    {"type", DESKTOP_TYPE, desktop_type_opts, ARRAY_LEN(desktop_type_opts), true},
    {"check", DESKTOP_CHECK, desktop_check_opts, ARRAY_LEN(desktop_check_opts), false},
};

const struct desktop_action *
desktop_action_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(actions); i++)
		if (strcmp(actions[i].name, name) == 0)
			return &actions[i];
	return NULL;
}

static size_t
behind_dashes(const struct operands *o)
{
	size_t n = 0;

	while (o->command != NULL && o->command[n] != NULL)
		n++;
	return n;
}

/* How many operands there are, before and behind "--". */
static size_t
desktop_operands(const struct operands *o)
{
	return o->nargs + behind_dashes(o);
}

const char *
desktop_operand(const struct operands *o, size_t i)
{
	if (i < o->nargs)
		return o->args[i];
	i -= o->nargs;
	return i < behind_dashes(o) ? o->command[i] : NULL;
}

int
desktop_coordinate(const char *s, int *value, struct err *err)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(s, &end, 10);
	if (s[strspn(s, "0123456789")] != '\0' || end == s || errno != 0 ||
	    n > COORDINATE_MAX) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, s);
		return err_set(err,
		    "%s is no place on a screen; X and Y are pixels from its "
		    "upper left corner",
		    shown.data);
	}
	*value = (int)n;
	return 0;
}

static int
check_click(const struct desktop_options *options, const struct operands *o, struct err *err)
{
	size_t n = desktop_operands(o);
	int place;

	if (options->element != NULL && n > 0)
		return err_set(err, "either X and Y or --element, not both");
	if (options->element != NULL)
		return options->element[0] != '\0' ? 0 : err_set(err, "--element needs a name");
	if (options->role != NULL)
		return err_set(err, "--role is for --element");
	if (n != 2)
		return err_set(err, "click needs X and Y, or --element NAME");
	if (desktop_coordinate(desktop_operand(o, 0), &place, err) < 0)
		return -1;
	return desktop_coordinate(desktop_operand(o, 1), &place, err);
}

static int
check_type(const struct desktop_options *options, const struct operands *o, struct err *err)
{
	if (options->from_stdin)
		return desktop_operands(o) == 0
			   ? 0
			   : err_set(err, "either TEXT or --stdin, not both");
	return desktop_operands(o) == 1
		   ? 0
		   : err_set(err, "type needs one TEXT (quote it), or --stdin");
}

int
desktop_options_check(enum desktop_id id, const struct desktop_options *options,
    const struct operands *o, struct err *err)
{
	size_t n = desktop_operands(o);

	if (options->window != NULL && options->window[0] == '\0')
		return err_set(err, "--window needs a title");
	switch (id) {
	case DESKTOP_CLICK:
		return check_click(options, o, err);
	case DESKTOP_TYPE:
		return check_type(options, o, err);
	case DESKTOP_FOCUS:
		return n == 1 && desktop_operand(o, 0)[0] != '\0'
			   ? 0
			   : err_set(err, "focus needs one TITLE (quote it)");
	case DESKTOP_SCREENSHOT:
		return n <= 1 ? 0 : err_set(err, "screenshot takes one FILE");
	case DESKTOP_WINDOWS:
	case DESKTOP_CHECK:
	default:
		return n == 0 ? 0 : err_set(err, "too many arguments");
	}
}

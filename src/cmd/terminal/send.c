/*
 * send.c - ralph send: type something to the agent.
 */
#include "cmd/cmd.h"
#include "loops/between.h"

#include "base/clock.h"
#include "session/wire.h"

#define SEND_TIMEOUT (90 * NSEC_PER_SEC)

struct send_options {
	bool no_enter;
};

#define OPTIONS struct send_options
static const struct opt send_opts[] = {
    ROW_FLAG("no-enter", no_enter, "do not press Enter after the text"),
};

static int
send_text(struct loop_view *v, const char *text, bool enter, struct err *err)
{
	AUTO_CLOSE int fd = between_dial(v, err);
	AUTO_BUF frame = BUF_INIT;
	enum wire_type type;

	if (fd < 0)
		return -1;
	buf_addc(&frame, enter ? 1 : 0);
	buf_adds(&frame, text);
	if (wire_write_frame(fd, WIRE_PASTE, frame.data, frame.len, err) < 0)
		return between_lost(err);
	do {
		buf_clear(&frame);
		if (wire_read_frame(fd, SEND_TIMEOUT, &type, &frame, err) < 0)
			return between_lost(err);
	} while (type != WIRE_OK && type != WIRE_ERROR);
	return type == WIRE_OK ? 0 : err_set(err, "%s", frame.data);
}

static int
run(const struct cmd_args *args)
{
	const struct send_options *o = args->opts;
	const char *name = args->operands.args[0];
	AUTO_VIEW v = VIEW_INIT;

	if (loop_view_open_session(&v, name, args->err) < 0 ||
	    send_text(&v, args->operands.args[1], !o->no_enter, args->err) < 0)
		return -1;
	return cmd_say("sent to %s", name);
}

const struct cmd cmd_send = {
    .name = "send",
    .usage = "[--no-enter] NAME TEXT",
    .summary = "Type a text to the running agent",
    .about =
	"The text is pasted into the agent's terminal, then Enter is pressed. Only agents with "
	"a terminal (--pty) can be typed to. A TEXT that begins with a dash goes behind --.",
    .examples = "  ralph send myproject-run 'please also run the linter'\n"
		"  ralph send myproject-run -- '- and one more thing'\n",
    CMD_OPTIONS(send_opts),
    .min_args = 2,
    .max_args = 2,
    .operand = "loop",
    .run = run,
};

/*
 * trust.c - ralph trust: agree to commands that were changed while an agent worked.
 */
#include "cmd/cmd.h"
#include "cmd/confirm.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include "git/trust/trust.h"
#include "session/within.h"

#define SHOWN ((size_t)200) /* bytes of a value */

struct trust_options {
	bool list, json, yes;
};

#define OPTIONS struct trust_options
static const struct opt trust_opts[] = {
    ROW_FLAG("list", list, "only show what is not trusted"),
    ROW_FLAG("json", json,
	"show what is not trusted as JSON, whole; agrees to nothing without --yes"),
    ROW_FLAG("yes", yes, "agree to all that is not trusted, without being asked"),
};

/* ---- what is shown ------------------------------------------------------------------ */

static void
show_value(struct buf *out, const char *mark, const json_t *value)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;
	size_t len;

	if (value == NULL || json_is_null(value))
		buf_adds(&text, "(none)");
	else if (json_is_string(value))
		buf_adds(&text, json_string_value(value));
	else
		json_print(value, true, &text);
	len = text.len > SHOWN ? SHOWN : text.len;
	text_show(&shown, text.data, len, true);
	buf_addf(out, "  %s ", mark);
	for (const char *p = shown.data; *p != '\0'; p++) {
		buf_addc(out, *p);
		if (*p == '\n' && p[1] != '\0')
			buf_addf(out, "  %s ", mark);
	}
	if (out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	if (len < text.len)
		buf_addf(out, "  %s ... (%zu bytes in all)\n", mark, text.len);
}

static void
control_trust_show(json_t *list)
{
	AUTO_BUF out = BUF_INIT;

	for (void *it = json_object_iter(list); it != NULL;
	     it = json_object_iter_next(list, it)) {
		const char *name = json_object_iter_key(it);
		const json_t *one = json_object_iter_value(it);

		text_show(&out, name, strlen(name), false);
		buf_addc(&out, '\n');
		show_value(&out, "-", json_object_get(one, "trusted"));
		show_value(&out, "+", json_object_get(one, "now"));
	}
	if (json_object_size(list) == 0)
		buf_adds(&out, "Nothing is untrusted here.\n");
	cmd_print(&out);
}

/* ---- whether to agree ---------------------------------------------------------------- */

static bool
agreed(const struct trust_options *o)
{
	AUTO_FREE char *session = session_variable("RALPH_SESSION");

	if (o->list)
		return false;
	if (session != NULL) {
		error("this is for a person to agree to, and not from within a session");
		return false;
	}
	if (o->yes)
		return true;
	return !o->json && confirm_possible() &&
	       confirm(
		   "These were changed while an agent worked, and have no effect. Trust them?");
}

static int
run(const struct cmd_args *args)
{
	const struct trust_options *o = args->opts;
	AUTO_JSON *list = trust_list(".", args->err);
	const char *loss = trust_loss();

	if (list == NULL)
		return -1;
	if (loss != NULL)
		warning("%s", loss);
	if (o->json)
		cmd_print_json(json_incref(list));
	else
		control_trust_show(list);
	if (json_object_size(list) == 0)
		return EX_OK;
	if (!agreed(o))
		return EX_FAILED;
	if (trust_agree(".", list, args->err) < 0)
		return -1;
	return o->json ? EX_OK : cmd_say("Trusted from now on.");
}

const struct cmd cmd_trust = {
    .name = "trust",
    .usage = "[--list] [--json] [--yes]",
    .summary = "Agree to commands that were changed while an agent worked",
    .about =
	"Git runs commands that its configuration names: hooks, filters, drivers, signing "
	"programs and others. So does ralph: worker, setup, verify, onAlert, ticketQuery and "
	"completionCheck of .tf/ralph/config.json. Other settings there say what is complete "
	"and what lands: success, promiseOnComplete, base, drop and the like; and of git's, "
	"merge.default, core.autocrlf and .git/info/attributes. An agent can write both. What "
	"counts is what stood there when a person last agreed: everything that is there when a "
	"repository is seen for the first time, whatever changes while no loop runs in it, and "
	"what this command agrees to. What changes while a loop runs is said once, and has no "
	"effect on what ralph runs, in later loops too, until then; the work lands all the "
	"same. Only files that an attribute gives to a filter which is not trusted do not "
	"land: they would be taken unfiltered. And where .git/info/attributes or core.worktree "
	"would change what lands, git is not run at all: no option undoes them.\n\n"
	"Shows, for the repository or project around the current directory, each such change "
	"with the trusted value (-) and the one that is there now (+), and asks. Agreeing to "
	"another core.hooksPath agrees to the hooks in it as they are. Hooks of 'ralph todo' "
	"run as they were agreed to; a script that they call in the work tree is not looked "
	"at. Settings that a linked work tree has for itself, or a submodule, are named 'in "
	"DIRECTORY'; what is agreed to for the repository is agreed to there. Git is not let "
	"into submodules on its own (submodule.recurse has no effect on what ralph runs); "
	"where a filter that is not trusted keeps us from seeing whether there is work in one, "
	"there may be.\n\n"
	"Exit codes: 0 nothing is untrusted any more, 1 something is. Without a terminal and "
	"without --yes it only shows, and within an agent's session, with or without its "
	"environment.",
    .examples = "  ralph trust\n"
		"  ralph trust --list || echo 'an agent changed what git would run'\n"
		"  ralph trust --yes\n",
    CMD_OPTIONS(trust_opts),
    .run = run,
};

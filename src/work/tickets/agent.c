/*
 * agent.c - the agent of `ralph loop`: its command, and how it learns which ticket it has.
 */
#include "base/alloc.h"
#include "loops/settings.h"
#include "record/codec.h"
#include "session/profile.h"
#include "work/tickets/keys.h"
#include "work/tickets/project.h"
#include <unistd.h>

#define WORKFLOW_FILE "prompts/tf.md"

/* pi -p "/tf {ticket} --auto" */
static char **
pi_command(const struct loop_config *c)
{
	AUTO_BUF prompt = BUF_INIT;
	char **argv = strlist_add(strlist_add(NULL, "pi"), "-p");

	buf_addf(&prompt, "%s {ticket}", c->workflow);
	if (c->workflow_flags != NULL && c->workflow_flags[0] != '\0')
		buf_addf(&prompt, " %s", c->workflow_flags);
	if (c->session_dir != NULL)
		argv = strlist_add(strlist_add(argv, "--session-dir"), c->session_dir);
	if (c->capture_json)
		argv = strlist_add(strlist_add(argv, "--mode"), "json");
	return strlist_add(argv, prompt.data);
}

/* A relative path on the command line means the file here, not the same path in a worktree. */
static char **
own_command(char *const *given)
{
	char **argv = strlist_dup(given);

	if (argv[0][0] != '/' && strchr(argv[0], '/') != NULL)
		settings_make_absolute(&argv[0]);
	return argv;
}

static bool
tickets_agent_is_there(const char *root, const char *below)
{
	AUTO_FREE char *path = xasprintf("%s/%s", root, below);

	return access(path, R_OK) == 0;
}

static void
write_postscript(struct settings *s, const struct loop_config *c)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text,
	    "\n\n---\nThis is ticket {ticket} ({file}). Work in this directory ({worktree}). "
	    "When the work is done, close the ticket: tk close {ticket}, or ralph tk close "
	    "{ticket}. When the work is not done, leave the ticket open, and do not print the "
	    "line that follows. Only when the work is done and closing the ticket fails, end "
	    "by printing on a line of its own: <promise>TICKET_{ticket}_COMPLETE</promise>\n"
	    "What others should know for later tickets, write to {lesson}.\n");
	if (tickets_agent_is_there(s->root, PROJECT_DIR "/AGENTS.md"))
		buf_addf(&text,
		    "What earlier tickets taught is in %s/" PROJECT_DIR
		    "/AGENTS.md: read it first.\n",
		    s->root);
	if (tickets_agent_is_there(s->root, s->knowledge) && c->name_knowledge)
		buf_addf(&text, "What is known of this project%s is in %s/%s.\n",
		    c->name_planning ? ", and its plans," : "", s->root, s->knowledge);
	s->postscript = buf_detach(&text);
}

/* Does pi find the file that says what a command means?  Besides prompts/ of the project, pi
 * looks into its own directories. */
static bool
pi_knows(const char *root, const char *file)
{
	const char *own = getenv("PI_CODING_AGENT_DIR");
	const char *home = getenv("HOME");
	AUTO_FREE char *below = own != NULL && *own != '\0' ? xstrdup(own)
				: home == NULL		    ? NULL
							    : xasprintf("%s/.pi/agent", home);
	AUTO_FREE char *project = xasprintf(".pi/%s", file);

	return tickets_agent_is_there(root, file) || tickets_agent_is_there(root, project) ||
	       (below != NULL && tickets_agent_is_there(below, file));
}

/* Checks the seed's precondition: pi would take an unknown command for plain words, and every
 * ticket would fail for want of anything done. */
static int
check_workflow(const struct settings *s, const struct loop_config *c, struct err *err)
{
	if (strcmp(c->workflow, "/tf") != 0 || pi_knows(s->root, WORKFLOW_FILE))
		return 0;
	return err_set(err, WORKFLOW_FILE
	    " is not there, and neither .pi nor pi's own directory has it: pi would "
	    "not know what /tf means; make it, set another \"workflow\" in " CONFIG_FILE
	    ", or name the agent, such as: ralph loop -- claude -p "
	    "--dangerously-skip-permissions");
}

int
agent_settle(struct loop_config *c, char *const *given, bool needed, struct err *err)
{
	struct settings *s = &c->settings;
	bool told = given != NULL && given[0] != NULL;
	bool pi = !told && c->worker == NULL;

	s->command = pi ? pi_command(c) : own_command(told ? given : c->worker);
	s->cwd = xstrdup(s->root);
	if (pi && needed && check_workflow(s, c, err) < 0)
		return -1;
	/* A plan starts no agent, so the agent need not be there. */
	if (needed && settings_check_place(s, err) < 0)
		return !pi ? -1
			   : err_set(err,
				 "no agent: pi is not installed; name another one, such as: "
				 "ralph loop -- claude -p --dangerously-skip-permissions");
	if (profile_use(s->command) == PROFILE_TERMINAL)
		s->mode = MODE_PTY;
	if (pi)
		s->prompt_via = xstrdup("none");
	else if (c->prompt != NULL)
		s->prompt_file = xstrdup(c->prompt);
	else
		write_postscript(s, c);
	settings_set_delivery(s);
	return 0;
}

#include "work/shared/given.h"

#include "base/log.h"
#include "work/shared/task_log.h"

const struct view_ops *const given_views[] = {&task_log_view, NULL};

void
given_beat(struct running *r)
{
	struct err err = ERR_INIT;

	if (task_log_beat(running_view(r, &task_log_view), clock_wall(), &err) < 0)
		warning("%s: heartbeat: %s", r->spec->name, err.text);
}

static void
say_notes(struct running *r)
{
	AUTO_BUF notes = BUF_INIT;

	if (r->source == NULL || r->source->ops->notes == NULL)
		return;
	r->source->ops->notes(r->source, &notes);
	warning_lines(notes.data);
}

/* Every iteration begins with an answer; but an answer that the graph cannot be read is no sign
 * of life. */
void
given_answered(struct running *r, const struct answer *a)
{
	if (a->kind != ANSWER_LATER)
		given_beat(r);
	say_notes(r);
}

void
given_facts(struct running *r, const struct decision *d UNUSED)
{
	say_notes(r);
}

const char *
given_all_done(const struct fact *finished, bool tracked)
{
	if (finished->reason != END_NO_WORK)
		return NULL;
	return tracked && finished->text[0] != '\0' ? finished->text : "all tasks complete";
}

bool
given_is_blocked(const struct fact *finished)
{
	return finished->reason == END_WAITING ||
	       (finished->reason == END_SOME_FAILED && finished->text[0] != '\0');
}

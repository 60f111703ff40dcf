#include "loops/forget.h"

#include "base/log.h"
#include "loops/loop_view.h"
#include "loops/worker.h"
#include "record/home.h"
#include "record/registry.h"
#include <errno.h>

/* Registers the loop again, as `swarm ls` of any version would list it. */
static void
list_again(int home, const char *name)
{
	struct err err = ERR_INIT;
	struct loop_view v;

	if (loop_view_open(&v, name, &err) < 0) {
		/* The user had taken the loop's files away: nobody knows the loop, as
		 * before. */
		if (err.code != ENOENT)
			warning("%s: %s", name, err.text);
		return;
	}
	if (worker_register(home, name, &v.settings, &v.state, false, true, &err) < 0)
		warning("%s: %s", name, err.text);
	loop_view_close(&v);
}

int
forget_bring_back(int home, const char *name, struct err *err)
{
	if (home_restore(home, name, err) < 0)
		return -1;
	list_again(home, name);
	return 0;
}

void
forget_loop(int home, const char *name, bool earlier)
{
	struct err err = ERR_INIT;

	/* The loop's files may be gone, which is no failure here. */
	if ((home_remove(home, name, &err) < 0 && err.code != ENOENT) ||
	    registry_remove(home, name, &err) < 0) {
		warning("rollback failed: could not remove worker state: %s", err.text);
		if (earlier)
			warning("the earlier loop '%s' is in the archive", name);
		return;
	}
	if (earlier && forget_bring_back(home, name, &err) < 0)
		warning("the earlier loop '%s' is in the archive: %s", name, err.text);
}

#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/repo.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#define DEPTH_MAX 200

static bool
is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* The time of the inode's last change also shows files that were moved here.  A file with
 * several names is judged by its modification time: its inode changes whenever one of the names
 * is removed. */
static bool
is_used(const struct stat *st, const struct timespec *since)
{
	return !S_ISDIR(st->st_mode) &&
	       is_later(st->st_nlink > 1 ? &st->st_mtim : &st->st_ctim, since);
}

/* Has anything but a directory been written below the directory since then?  A directory that
 * cannot be read counts as written to. */
static bool
dir_is_used(int parent, const char *name, const struct timespec *since, int depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;
	bool used = false;

	if (dir == NULL) {
		if (fd >= 0)
			close(fd);
		return true;
	}
	while (!used && (e = readdir(dir)) != NULL) {
		struct stat st;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
		    fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		used = is_used(&st, since) ||
		       (S_ISDIR(st.st_mode) && (depth == DEPTH_MAX || dir_is_used(fd, e->d_name,
									  since, depth + 1)));
	}
	closedir(dir);
	return used;
}

/* Is there a worktree of that name in another directory?  It may belong to a run with another
 * directory, or, when an earlier version wrote the note, to another project. */
static bool
is_elsewhere(const struct site *s)
{
	const char *name = strrchr(s->path, '/');
	const char *at = s->trees.out.data;
	struct listed_tree e;

	while (trees_next(&at, &s->trees, &e)) {
		const char *theirs = strrchr(e.path, '/');

		if (theirs != NULL && strcmp(theirs, name) == 0 && strcmp(e.path, s->path) != 0)
			return true;
	}
	return false;
}

/* While we hold the lock, nobody else can be past LEAVING with a worktree of that name: to make
 * it anew, a process has to remove this one first. */
static void
leaving_finish(struct site *s)
{
	AUTO_LOCK int lock = repo_lock(s->common, NULL);
	struct timespec since;

	if (lock < 0)
		return;
	note_release(&s->note);
	note_load(s->common, s->notes, s->ticket->id, &s->note);
	site_name(s);
	if (s->note.state == NOTE_LEAVING &&
	    note_time(s->common, s->notes, s->ticket->id, &since) == 0 &&
	    site_trees(s, NULL) == 0 && !is_elsewhere(s) &&
	    !(path_is_there(s->path) && dir_is_used(AT_FDCWD, s->path, &since, 0)))
		(void)!work_remove(s, NULL);
}

void
leave_finish_all(const struct land_plan *plan, const char *common)
{
	AUTO_FREE char *notes = notes_dir(common, plan->key);
	AUTO_STRLIST ids = note_list(common, notes);

	for (char **id = ids; id != NULL && *id != NULL; id++) {
		struct land_ticket ticket = {.id = *id};
		struct site s;

		if (site_open(&s, plan, &ticket, NULL) == 0 && s.note.state == NOTE_LEAVING)
			leaving_finish(&s);
		site_close(&s);
	}
}

/* ---- what a person has merged -------------------------------------------------------- */

/* Is the worktree as it was committed, with no repository of its own in it? Copies the files
 * that git ignores in the worktree. */
static bool
tree_is_spent(struct site *s, struct work *w)
{
	const struct inner_work work = work_inner(s, w->head);
	AUTO_FREE char *inner = NULL;
	AUTO(changes_release) struct changes c = {0};

	if (!w->there)
		return !w->listed;
	if (!text_same(w->head, s->tip) || work_changes(s, w, &c, NULL) < 0 || c.count > 0 ||
	    c.underway != NULL || c.foreign != NULL)
		return false;
	inner = inner_unpushed(&work);
	return inner == NULL && ignored_keep(s, w, &c, NULL) == 0;
}

/* A branch without commits of its own is in B as well: only work with a commit of its own was
 * merged. */
static bool
merged_finish(struct site *s)
{
	AUTO(work_release) struct work w = WORK_INIT;

	return s->note.state == NOTE_READY && site_look(s, NULL) == 0 && s->tip != NULL &&
	       s->b != NULL && s->note.start != NULL && strcmp(s->tip, s->note.start) != 0 &&
	       site_has(s, s->b, s->tip) && !is_elsewhere(s) &&
	       s->plan->over(s->plan->over_ctx, s->ticket->id, s->path) &&
	       work_find(s, &w, NULL) == 0 && tree_is_spent(s, &w) &&
	       work_leave(s, s->tip, NULL) == 0;
}

char **
leave_merged_all(const struct land_plan *plan, const char *common)
{
	AUTO_FREE char *notes = notes_dir(common, plan->key);
	AUTO_STRLIST ids = plan->over != NULL && !plan->keep_worktree && !plan->keep_branch
			       ? note_list(common, notes)
			       : NULL;
	char **removed = NULL;

	for (char **id = ids; id != NULL && *id != NULL; id++) {
		AUTO_FREE char *ignored =
		    plan->ignored != NULL ? xasprintf("%s/%s", plan->ignored, *id) : NULL;
		struct land_ticket ticket = {.id = *id};
		struct land_plan own = *plan;
		struct site s;

		own.ignored = ignored;
		if (site_open(&s, &own, &ticket, NULL) == 0 && merged_finish(&s))
			removed = strlist_add(removed, *id);
		site_close(&s);
	}
	return removed;
}

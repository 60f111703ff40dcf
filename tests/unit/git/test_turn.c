/* What a task changed, and nothing else, becomes one commit. */
#include "turn.h"

static void
the_tasks_changes_are_committed(void **state UNUSED)
{
	begin();
	sh("cd repo; echo 2 >>file; echo n >new; rm sub/two; mkdir d; echo x >d/x; echo o "
	   ">x.o");
	commit();
	assert_paths("d/x\nfile\nnew\nsub/two");
	assert_shell(result.commit, "git -C repo rev-parse HEAD");
	assert_shell(result.brief, "git -C repo rev-parse --short HEAD");
	assert_shell("", "git -C repo status --porcelain");
	assert_shell("T001: Add the thing. Test it too.\n\n- Add the thing.\n- Test it too.\n\n"
		     "Request: Please add the thing\nTask: T001\n",
	    "git -C repo log -1 --format=%%B");
	assert_shell(result.diffstat, "git -C repo show --stat=80 --format=");
	assert_shell("T <t@localhost>", "git -C repo log -1 --format='%%an <%%ae>'");
	assert_true(result.committed > 1500000000);
	assert_false(result.found);
	assert_null(result.text);
	assert_int_equal(result.nleft, 0);
	assert_int_equal(turn_forget(&turn, &err), 0);
	assert_shell("", "git -C repo for-each-ref refs/ralph; ls T001.json 2>/dev/null || :");
	assert_tidy();
}

static void
nothing_is_nothing(void **state UNUSED)
{
	begin();
	commit_ends(TURN_NOTHING);
	assert_string_equal(result.text, "no changes to commit");
	sh("echo o >repo/x.o; mkdir -p repo/ai/ralph/results; echo s "
	   ">repo/ai/ralph/state.json; "
	   "echo t >repo/ai/todo.md; echo m >repo/ai/task-meta.json");
	commit_ends(TURN_NOTHING);
	assert_shell("first", "git -C repo log -1 --format=%%s");
}

static void
the_users_edits_are_not(void **state UNUSED)
{
	sh("cd repo; echo mine >>file; echo u >untracked; echo g >.gitignore2; rm sub/two");
	begin();
	sh("cd repo; echo n >new; mkdir -p ai/ralph; echo s >ai/ralph/state.json");
	commit();
	assert_paths("new");
	assert_shell(" M file\n D sub/two\n?? .gitignore2\n?? ai/\n?? untracked",
	    "git -C repo status --porcelain");
	assert_tidy();
}

static void
our_files_are_not_even_when_git_knows_them(void **state UNUSED)
{
	sh("cd repo; mkdir -p ai/ralph; echo 1 >ai/ralph/state.json; echo 1 >ai/todo.md; git "
	   "add "
	   ".; git commit -qm ai");
	begin();
	sh("cd repo; echo 2 >ai/ralph/state.json; echo 2 >ai/todo.md; echo n >ai/new; git add "
	   "ai");
	commit();
	assert_paths("ai/new");
	assert_shell("M  ai/ralph/state.json\nM  ai/todo.md", "git -C repo status --porcelain");
}

/* Both have changed it: the task's lines go, the user's stay. */
static void
a_file_of_both_is_taken_apart(void **state UNUSED)
{
	sh("cd repo; seq 1 40 >both; git add both; git commit -qm both; sed -i 's/^3$/user/' "
	   "both");
	begin();
	sh("cd repo; sed -i 's/^30$/task/' both");
	commit();
	assert_paths("both");
	assert_shell("3\ntask", "git -C repo show HEAD:both | sed -n '3p;30p'");
	assert_shell("user\ntask", "sed -n '3p;30p' repo/both");
	assert_shell(" M both", "git -C repo status --porcelain");
	assert_shell("-3\n+user", "git -C repo diff -U0 | grep '^[-+][^-+]'");
	assert_int_equal(result.nleft, 0);
	assert_tidy();
}

static void
what_cannot_be_taken_apart_is_left(void **state UNUSED)
{
	sh("cd repo; printf 'a\\0b' >bin; git add bin; git commit -qm bin\n"
	   "echo user >file; echo u >untracked; echo mine >sub/two; printf 'a\\0c' >bin");
	begin();
	sh("cd repo; echo task >file; echo task >>untracked; rm sub/two; printf 'a\\0d' >bin; "
	   "echo "
	   "n >new");
	commit();
	assert_paths("new");
	assert_left("file", "same lines");
	assert_left("untracked", "not in git");
	assert_left("sub/two", "deleted");
	assert_left("bin", "not committed");
	assert_int_equal(result.nleft, 4);
	assert_shell("task\nu\ntask", "cd repo; cat file untracked");
	assert_shell(
	    " M bin\n M file\n D sub/two\n?? untracked", "git -C repo status --porcelain");
	/* What the user had is not lost either. */
	assert_shell("mine", "git -C repo show $(git -C repo for-each-ref "
			     "--format='%%(objectname)' refs/ralph/turn):sub/two");
	assert_tidy();
}

static void
all_left_is_not_nothing(void **state UNUSED)
{
	sh("echo user >repo/file");
	begin();
	sh("echo task >repo/file");
	commit_ends(TURN_BUSY);
	assert_left("file", "same lines");
	sh("git -C repo commit -qam 'of both'");
	commit_ends(TURN_NOTHING);
	assert_int_equal(result.nleft, 0);
}

static void
what_is_staged_stays_staged(void **state UNUSED)
{
	sh("cd repo; seq 1 40 >both; git add both; git commit -qm both\n"
	   "sed -i 's/^3$/user/' both; git add both; echo s >staged; git add staged; rm "
	   "sub/two; "
	   "git rm -q --cached sub/two; echo i >intended; git add -N intended");
	begin();
	sh("cd repo; sed -i 's/^30$/task/' both; echo n >new; echo 2 >>file");
	commit();
	assert_paths("both\nfile\nnew");
	assert_shell("3\ntask", "git -C repo show HEAD:both | sed -n '3p;30p'");
	assert_shell("user\ntask", "git -C repo show :both | sed -n '3p;30p'");
	assert_shell("M  both\n A intended\nA  staged\nD  sub/two",
	    "git -C repo status --porcelain --no-renames");
	assert_null(result.text);
	assert_tidy();
}

/* Staged, and then changed back in the work tree. */
static void
what_is_staged_against_the_commit_stays_too(void **state UNUSED)
{
	sh("cd repo; echo staged >file; git add file; echo 1 >file");
	begin();
	sh("cd repo; echo task >file");
	commit();
	assert_paths("file");
	assert_shell("staged", "git -C repo show :file");
	assert_shell("task\ntask", "cd repo; git show HEAD:file; cat file");
	assert_text("file is still staged");
}

static void
a_worker_may_stage(void **state UNUSED)
{
	begin();
	sh("cd repo; echo n >new; git add new; git mv file moved; echo x >>moved");
	commit();
	assert_paths("file\nmoved\nnew");
	assert_shell("", "git -C repo status --porcelain");
}

static void
renames_follow_the_users_edits(void **state UNUSED)
{
	sh("cd repo; seq 1 60 >one; seq 100 160 >two; git add .; git commit -qm more\n"
	   "sed -i 's/^3$/user/' one; git mv two second");
	begin();
	sh("cd repo; mv one other; sed -i 's/^30$/task/' other; sed -i 's/^130$/task/' second");
	commit();
	/* What the user renamed has its old name in git still. */
	assert_paths("one\nother\ntwo");
	assert_shell("3\ntask", "git -C repo show HEAD:other | sed -n '3p;30p'");
	assert_shell("task", "git -C repo show HEAD:two | sed -n 31p");
	assert_shell("user\ntask", "sed -n '3p;30p' repo/other");
}

static void
modes_links_and_types(void **state UNUSED)
{
	sh("cd repo; mkdir dir; echo 1 >dir/in; echo f >f; ln -s file link; git add .; git "
	   "commit "
	   "-qm more; echo mine >>sub/two");
	begin();
	sh("cd repo; chmod +x file sub/two; ln -sf sub link; rm f; mkdir f; echo x >f/x; rm -r "
	   "dir; "
	   "ln -s sub dir; ln -s /nowhere broken");
	commit();
	assert_paths("broken\ndir\ndir/in\nf\nf/x\nfile\nlink\nsub/two");
	assert_shell("120000\n120000\n100644\n100755\n120000\n100755",
	    "git -C repo ls-tree -r HEAD -- broken dir f file link sub/two | cut -c1-6");
	assert_shell("2", "git -C repo show HEAD:sub/two");
	assert_shell(" M sub/two", "git -C repo status --porcelain");
	assert_tidy();
}

static void
a_directory_where_the_user_had_a_file(void **state UNUSED)
{
	sh("echo mine >>repo/file");
	begin();
	sh("cd repo; rm file; mkdir file; echo x >file/x; echo n >new");
	commit();
	assert_paths("new");
	assert_left("file", "deleted");
	assert_left("file/x", "by that name");
	assert_shell("1", "git -C repo show HEAD:file");
	assert_tidy();
}

static void
paths_may_be_anything(void **state UNUSED)
{
	sh("cd repo; printf d >\"$(printf 'di\\nrty')\"; git add .; git commit -qm more; "
	   "printf d2 "
	   ">\"$(printf 'di\\nrty')\"; printf u >\"$(printf 'un\\377')\"");
	begin();
	sh("cd repo; for f in -n '--all' ':(glob)*' 'a b' \"q'\\\"\" \"$(printf 'n\\nl')\" "
	   "\"$(printf 'x\\377y')\" '*' ' lead'; do echo x >\"./$f\"; done");
	commit();
	assert_shell("9", "git -C repo diff-tree --no-commit-id --name-only -r %s | wc -l",
	    result.commit);
	assert_shell("2", "git -C repo status --porcelain -z | tr '\\0\\n' '\\n.' | wc -l");
	assert_tidy();
}

static void
no_repository_and_no_commits(void **state UNUSED)
{
	sh("mkdir plain; git init -q --bare bare");
	turn.root = at("plain");
	begin();
	sh("echo x >plain/x");
	commit_ends(TURN_NO_REPOSITORY);
	sh("git init -q plain");
	commit_ends(TURN_NO_REPOSITORY);
	assert_text("when the task began");
	assert_int_equal(turn_forget(&turn, &err), 0);
	turn.root = at("bare");
	begin();
	commit_ends(TURN_NO_REPOSITORY);
	assert_int_equal(turn_forget(&turn, &err), 0);
	turn.root = at("plain");
	begin();
	sh("echo y >plain/y");
	commit();
	assert_paths("y");
	assert_shell("1", "git -C plain rev-list --count HEAD");
	assert_shell("?? x", "git -C plain status --porcelain");
	turn.root = at("nowhere");
	assert_int_equal(turn_forget(&turn, &err), -1);
}

static void
longer_object_names(void **state UNUSED)
{
	sh("git init -q --object-format=sha256 long; cd long; seq 1 60 >both; echo d >d; git "
	   "add .; "
	   "git commit -qm first; sed -i 's/^3$/user/' both; echo s >s; git add s both; rm d");
	turn.root = at("long");
	begin();
	sh("cd long; sed -i 's/^30$/task/' both; rm s; echo n >new");
	commit();
	assert_paths("both\nnew");
	assert_int_equal(strlen(result.commit), 64);
	assert_shell("M  both\n D d\nAD s", "git -C long status --porcelain");
}

static void
linked_worktrees_subdirectories_and_detached_heads(void **state UNUSED)
{
	static char own[] = "own";
	static char *except[] = {own, NULL};

	sh("cd repo; git worktree add -q --detach ../linked; echo u >../linked/u");
	turn.root = at("linked/sub");
	turn.except = except;
	begin();
	sh("cd linked; echo n >new; echo 3 >>sub/two; echo o >sub/own; echo o >own");
	commit();
	assert_paths("new\nown\nsub/two");
	assert_shell("?? sub/own\n?? u", "git -C linked status --porcelain");
	assert_shell("first", "git -C repo log -1 --format=%%s");
	assert_tidy();
}

static void
submodules_and_repositories_within(void **state UNUSED)
{
	sh("git init -q lib; cd lib; echo l >l; git add l; git commit -qm l; cd ../repo; "
	   "git -c protocol.file.allow=always submodule -q add ../lib lib; git commit -qm lib; "
	   "git init -q before; echo b >before/b");
	begin();
	sh("cd repo; echo m >>lib/l; git init -q nested; echo n >nested/n; echo n >new");
	commit();
	assert_paths("new");
	assert_left("lib", "submodule");
	assert_left("nested", "repository of its own");
	assert_int_equal(result.nleft, 2);
	sh("cd repo/lib; git commit -qam m");
	assert_int_equal(turn_forget(&turn, &err), 0);
	sh("git -C repo/lib checkout -q HEAD~");
	begin();
	sh("git -C repo/lib checkout -q -");
	commit();
	assert_paths("lib");
	assert_tidy();
}

static void
big_and_unreadable_files(void **state UNUSED)
{
	sh("cd repo; truncate -s 40M data grown big; echo 1 >same; git add big same; git "
	   "commit -qm "
	   "big; "
	   "echo x >>big; mkfifo pipe");
	begin();
	assert_shell("1", "test $(du -sk repo/.git | cut -f1) -lt 4000 && echo 1");
	sh("cd repo; echo x >>grown; rm big; truncate -s 33M made; echo s >>same");
	commit();
	assert_paths("made\nsame");
	assert_left("grown", "too big");
	assert_left("big", "too big");
	assert_int_equal(result.nleft, 2);
	assert_shell(" D big\n?? data\n?? grown", "git -C repo status --porcelain");
}

static void
a_heap_of_data_is_not_copied(void **state UNUSED)
{
	sh("cd repo; for i in 1 2 3 4 5 6 7 8 9; do truncate -s 31M data$i; done");
	begin();
	sh("cd repo; echo x >>data9; echo x >>data1; echo n >new");
	commit();
	assert_paths("new");
	assert_left("data1", "not in git");
	assert_left("data9", "too big");
	assert_int_equal(result.nleft, 2);
}

static void
the_first_snapshot_counts(void **state UNUSED)
{
	begin();
	sh("echo n >repo/new");
	begin();
	begin();
	commit();
	assert_paths("new");
	turn.task = "T002";
	begin();
	commit_ends(TURN_NOTHING);
}

static void
who_never_began_cannot_end(void **state UNUSED)
{
	assert_int_equal(turn_commit(&turn, &words, &result, &err), -1);
	assert_int_equal(err.code, ENOENT);
	sh("echo '{' >T001.json");
	assert_int_equal(turn_begin(&turn, &err), -1);
	sh("rm T001.json");
	begin();
	sh("cd repo; git update-ref -d $(git for-each-ref --format='%%(refname)' refs/ralph); "
	   "git "
	   "-c gc.reflogExpire=now prune --expire=now; echo n >new");
	assert_int_equal(turn_commit(&turn, &words, &result, &err), -1);
	assert_non_null(strstr(err.text, "how T001 began cannot be read"));
}

static void
a_preview_changes_nothing(void **state UNUSED)
{
	AUTO_FREE char *before = NULL;

	sh("echo mine >>repo/sub/two");
	begin();
	sh("cd repo; echo 2 >>file; echo n >new");
	before = shell("git -C repo for-each-ref; git -C repo status --porcelain; git -C repo "
		       "ls-files -s");
	assert_int_equal(turn_preview(&turn, &words, &result, &err), 0);
	assert_int_equal(result.outcome, TURN_COMMITTED);
	assert_null(result.commit);
	assert_non_null(strstr(result.diffstat, " file | 1 +\n new  | 1 +\n 2 files changed"));
	assert_non_null(strstr(result.message, "\nTask: T001\n"));
	assert_shell(before, "git -C repo for-each-ref; git -C repo status --porcelain; git -C "
			     "repo ls-files -s");
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    turn_test(the_tasks_changes_are_committed),
	    turn_test(nothing_is_nothing),
	    turn_test(the_users_edits_are_not),
	    turn_test(our_files_are_not_even_when_git_knows_them),
	    turn_test(a_file_of_both_is_taken_apart),
	    turn_test(what_cannot_be_taken_apart_is_left),
	    turn_test(all_left_is_not_nothing),
	    turn_test(what_is_staged_stays_staged),
	    turn_test(what_is_staged_against_the_commit_stays_too),
	    turn_test(a_worker_may_stage),
	    turn_test(renames_follow_the_users_edits),
	    turn_test(modes_links_and_types),
	    turn_test(a_directory_where_the_user_had_a_file),
	    turn_test(paths_may_be_anything),
	    turn_test(no_repository_and_no_commits),
	    turn_test(longer_object_names),
	    turn_test(linked_worktrees_subdirectories_and_detached_heads),
	    turn_test(submodules_and_repositories_within),
	    turn_test(big_and_unreadable_files),
	    turn_test(a_heap_of_data_is_not_copied),
	    turn_test(the_first_snapshot_counts),
	    turn_test(who_never_began_cannot_end),
	    turn_test(a_preview_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Whatever the repository has to say about a commit is heard; whatever is in the way is
 * told. */
#include "turn.h"

#include "base/clock.h"

/* A script as that hook of the repository. */
static void
hook(const char *name, const char *script)
{
	sh("cat >repo/.git/hooks/%s <<'END'\n#!/bin/sh\n%s\nEND\nchmod +x repo/.git/hooks/%s",
	    name, script, name);
}

/* The task's change, and how everything else is. */
static char *
change(void)
{
	sh("cd repo; echo mine >>sub/two; echo s >staged; git add staged");
	begin();
	sh("cd repo; echo n >new; echo 2 >>file");
	return shell(
	    "cd repo; git rev-parse HEAD; git status --porcelain; git ls-files -s; cat "
	    "file new staged sub/two");
}

static void
assert_as_before(const char *before)
{
	assert_shell(before,
	    "cd repo; git rev-parse HEAD; git status --porcelain; git ls-files "
	    "-s; cat file new staged sub/two");
	assert_tidy();
}

static void
a_hook_that_fails_is_quoted(void **state UNUSED)
{
	static const char *const hooks[] = {"pre-commit", "prepare-commit-msg", "commit-msg"};
	AUTO_FREE char *before = change();

	for (size_t i = 0; i < ARRAY_LEN(hooks); i++) {
		hook(hooks[i], "echo says no to stdout; echo and to stderr >&2; exit 1");
		commit_ends(TURN_REFUSED);
		assert_text(hooks[i]);
		assert_text("says no to stdout\nand to stderr");
		assert_as_before(before);
		sh("rm repo/.git/hooks/%s", hooks[i]);
	}
	commit();
	assert_paths("file\nnew");
	assert_shell("A  staged\n M sub/two", "git -C repo status --porcelain");
}

static void
hooks_see_what_is_committed(void **state UNUSED)
{
	hook("pre-commit",
	    "git diff --cached --name-status; git diff --cached --name-only "
	    ">../seen; git symbolic-ref HEAD >>../seen; echo $RALPH_TASK >>../seen");
	hook("commit-msg", "head -1 \"$1\" >>../seen");
	hook("prepare-commit-msg", "echo \"$2\" >>../seen");
	hook("post-commit", "git log -1 --format=%s >>../seen; echo bad; exit 3");
	free(change());
	commit();
	assert_shell("file\nnew\nrefs/heads/main\nT001\nmessage\nT001: Add the thing. Test it "
		     "too.\nT001: Add the thing. Test it too.",
	    "cat seen");
	assert_text("post-commit ended with status 3");
	assert_text("bad");
}

static void
hooks_may_change_files_and_message(void **state UNUSED)
{
	hook("pre-commit",
	    "echo formatted >>file; git add file; echo extra >extra; git add extra");
	hook("commit-msg", "echo 'Reviewed-by: hook' >>\"$1\"; printf '\\n\\n\\n' >>\"$1\"");
	free(change());
	commit();
	assert_paths("extra\nfile\nnew");
	assert_shell("1\n2\nformatted", "git -C repo show HEAD:file");
	assert_shell("Request: Please add the thing\nTask: T001\nReviewed-by: hook\n",
	    "git -C repo log -1 --format='%%(trailers)'");
	assert_shell("A  staged\n M sub/two", "git -C repo status --porcelain");
	assert_tidy();
}

static void
hooks_may_take_everything_away(void **state UNUSED)
{
	AUTO_FREE char *before = change();

	hook("commit-msg", ": >\"$1\"");
	commit_ends(TURN_REFUSED);
	assert_text("left no message");
	hook("pre-commit", "git reset -q");
	commit_ends(TURN_NOTHING);
	assert_as_before(before);
}

static void
a_hook_that_hangs_is_ended(void **state UNUSED)
{
	AUTO_FREE char *before = change();

	hook("pre-commit", "echo waiting; echo $$ >../pids; (trap '' TERM; setsid sh -c 'echo "
			   "$$ >>../pids; exec "
			   "sleep 600') & sleep 600");
	turn.hook_timeout = 300 * NSEC_PER_MSEC;
	commit_ends(TURN_REFUSED);
	assert_text("took longer than");
	assert_text("waiting");
	assert_shell("", "for p in $(cat pids); do kill -0 $p 2>/dev/null && echo $p; done; :");
	assert_as_before(before);
}

static void
a_hooks_path_is_followed(void **state UNUSED)
{
	sh("cd repo; mkdir .husky; printf '#!/bin/sh\\necho husky; exit 1\\n' "
	   ">.husky/pre-commit; "
	   "chmod +x .husky/pre-commit; git add .; git commit -qm h; git config core.hooksPath "
	   ".husky");
	begin();
	sh("echo n >repo/new");
	commit_ends(TURN_REFUSED);
	assert_text("husky");
}

static void
signing_that_fails_is_told(void **state UNUSED)
{
	AUTO_FREE char *before = change();

	sh("cd repo; printf '#!/bin/sh\\necho no key today >&2; exit 2\\n' >../gpg; chmod +x "
	   "../gpg; "
	   "git config commit.gpgSign true; git config gpg.program \"$PWD/../gpg\"");
	commit_ends(TURN_UNSIGNED);
	assert_text("cannot be signed");
	assert_as_before(before);
}

static void
signing_that_works_is_done(void **state UNUSED)
{
	sh("ssh-keygen -q -t ed25519 -N '' -f key; cd repo; git config commit.gpgSign true; "
	   "git "
	   "config gpg.format ssh; git config user.signingKey \"$PWD/../key.pub\"");
	free(change());
	commit();
	assert_shell("1", "git -C repo cat-file commit HEAD | grep -c 'BEGIN SSH SIGNATURE'");
}

static void
nobody_is_told(void **state UNUSED)
{
	AUTO_FREE char *before = change();

	sh("git config --global --unset user.name; git config --global --unset user.email; git "
	   "config --global user.useConfigOnly true");
	commit_ends(TURN_NO_IDENTITY);
	assert_text("set user.name and user.email");
	sh("git config --global user.email t@localhost; git config --global user.name T");
	assert_as_before(before);
	commit();
}

static void
somebody_commits_meanwhile(void **state UNUSED)
{
	free(change());
	/* Before, something of his own; and in the middle of it, on a file of both. */
	sh("cd repo; git commit -qm staged; git commit -qm two sub/two");
	hook("pre-commit",
	    "test -e ../once && exit 0; touch ../once; unset GIT_INDEX_FILE; echo o "
	    ">other; git add other; git commit -q --no-verify -m other");
	commit();
	assert_paths("file\nnew");
	assert_shell("T001: Add the thing. Test it too.\nother\ntwo\nstaged\nfirst",
	    "git -C repo log --format=%%s");
	assert_shell("o\ns\n2\nmine", "cd repo; git show HEAD:other HEAD:staged HEAD:sub/two");
	assert_shell("", "git -C repo status --porcelain");
	assert_tidy();
}

static void
somebody_commits_all_of_it(void **state UNUSED)
{
	free(change());
	sh("cd repo; git add .; git commit -qm all");
	commit_ends(TURN_NOTHING);
	assert_null(result.commit);
	assert_text("no changes to commit; HEAD has moved");
	sh("cd repo; git commit -q --amend -m 'all' -m 'Task: T001'");
	commit();
	assert_true(result.found);
	assert_paths("file\nnew\nstaged\nsub/two");
	/* A commit of another task with a name that begins alike is none of it. */
	sh("cd repo; git commit -q --amend -m 'all' -m 'Task: T0011'");
	commit_ends(TURN_NOTHING);
}

/* An agent that commits a part by itself, in the words of the log. */
static void
what_an_agent_committed_itself_does_not_hide_the_rest(void **state UNUSED)
{
	free(change());
	sh("cd repo; git add new; git commit -qm 'T001: half' -m 'Task: T001' new");
	commit();
	assert_false(result.found);
	assert_paths("file");
}

static void
a_merge_under_way_is_not_disturbed(void **state UNUSED)
{
	AUTO_FREE char *before = NULL;

	begin();
	sh("cd repo; git checkout -q -b o; echo o >file; git commit -qam o; git checkout -q "
	   "main; "
	   "echo m >file; git commit -qam m; git merge -q o || :; echo n >new");
	before = shell("cd repo; git rev-parse HEAD; git status --porcelain; git ls-files -s");
	commit_ends(TURN_BUSY);
	assert_text("a merge is under way");
	assert_shell(
	    before, "cd repo; git rev-parse HEAD; git status --porcelain; git ls-files -s");
	sh("cd repo; git merge --abort; git rebase -q o || :");
	commit_ends(TURN_BUSY);
	assert_text("a rebase is under way");
	sh("cd repo; git rebase --abort; git stash -q -u; git stash apply -q");
	commit();
	assert_paths("new");
}

static void
a_locked_index_is_waited_for(void **state UNUSED)
{
	AUTO_FREE char *before = change();

	sh("touch repo/.git/index.lock");
	commit_ends(TURN_BUSY);
	assert_text("index.lock");
	sh("rm repo/.git/index.lock");
	assert_as_before(before);
	sh("touch repo/.git/refs/heads/main.lock");
	commit_ends(TURN_BUSY);
	sh("rm repo/.git/refs/heads/main.lock");
	assert_as_before(before);
	sh("touch repo/.git/index.lock; (sleep 0.3; rm repo/.git/index.lock) >/dev/null 2>&1 "
	   "&");
	commit();
	assert_paths("file\nnew");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    turn_test(a_hook_that_fails_is_quoted),
	    turn_test(hooks_see_what_is_committed),
	    turn_test(hooks_may_change_files_and_message),
	    turn_test(hooks_may_take_everything_away),
	    turn_test(a_hook_that_hangs_is_ended),
	    turn_test(a_hooks_path_is_followed),
	    turn_test(signing_that_fails_is_told),
	    turn_test(signing_that_works_is_done),
	    turn_test(nobody_is_told),
	    turn_test(somebody_commits_meanwhile),
	    turn_test(somebody_commits_all_of_it),
	    turn_test(what_an_agent_committed_itself_does_not_hide_the_rest),
	    turn_test(a_merge_under_way_is_not_disturbed),
	    turn_test(a_locked_index_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

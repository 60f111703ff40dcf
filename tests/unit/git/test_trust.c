/* What a record makes of the facts: who changed what, and what counts. */
#include "git/git.h"
#include "git/trust/trust_inside.h"
#include "repo.h"

static json_t *record;

static int
record_setup(void **state UNUSED)
{
	record = json_pack("{s:{s:s, s:s}, s:{}}", "trusted", "git filter.x.clean", "old",
	    "hook pre-commit", "755\nold", "untrusted");
	return record ? 0 : -1;
}

static int
record_teardown(void **state UNUSED)
{
	json_decref(record);
	return 0;
}

/* The facts of one kind are now these: {NAME: VALUE}. */
static void
look(const char *kind, const char *facts, bool agents)
{
	AUTO_JSON *now = json_parse(facts, strlen(facts), "facts", NULL);

	assert_non_null(now);
	trust_compare(record, now, kind, agents);
}

static void
assert_record(const char *trusted, const char *untrusted)
{
	AUTO_JSON *t = json_parse(trusted, strlen(trusted), "trusted", NULL);
	AUTO_JSON *u = json_parse(untrusted, strlen(untrusted), "untrusted", NULL);

	assert_true(json_equal(json_object_get(record, "trusted"), t));
	assert_true(json_equal(json_object_get(record, "untrusted"), u));
}

#define HOOK "\"hook pre-commit\":\"755\\nold\""
#define OLD "{\"git filter.x.clean\":\"old\"," HOOK "}"

static void
what_did_not_change_stays(void **state UNUSED)
{
	look(TRUST_GIT, "{\"git filter.x.clean\":\"old\"}", true);
	assert_record(OLD, "{}");
	look(TRUST_GIT, "{\"git filter.x.clean\":\"old\"}", false);
	assert_record(OLD, "{}");
}

static void
what_agents_change_is_not_trusted(void **state UNUSED)
{
	look(TRUST_GIT, "{\"git filter.x.clean\":\"new\", \"git gpg.program\":\"evil\"}", true);
	assert_record(OLD, "{\"git filter.x.clean\":\"new\", \"git gpg.program\":\"evil\"}");
	look(TRUST_GIT, "{}", true);
	assert_record(OLD, "{\"git filter.x.clean\":null}");
}

static void
it_stays_so_while_it_is_as_they_left_it(void **state UNUSED)
{
	look(TRUST_GIT, "{\"git filter.x.clean\":\"new\"}", true);
	look(TRUST_GIT, "{\"git filter.x.clean\":\"new\"}", false);
	assert_record(OLD, "{\"git filter.x.clean\":\"new\"}");
	look(TRUST_GIT, "{}", true);
	look(TRUST_GIT, "{}", false);
	assert_record(OLD, "{\"git filter.x.clean\":null}");
}

static void
what_a_person_changes_is_trusted(void **state UNUSED)
{
	look(TRUST_GIT, "{\"git filter.x.clean\":\"new\"}", true);
	look(TRUST_GIT, "{\"git filter.x.clean\":\"newer\"}", false);
	assert_record("{\"git filter.x.clean\":\"newer\"," HOOK "}", "{}");
	look(TRUST_GIT, "{}", false);
	assert_record("{" HOOK "}", "{}");
}

static void
what_is_put_back_is_trusted_whoever_did_it(void **state UNUSED)
{
	look(TRUST_GIT, "{\"git filter.x.clean\":\"new\"}", true);
	look(TRUST_GIT, "{\"git filter.x.clean\":\"old\"}", true);
	assert_record(OLD, "{}");
}

static void
kinds_do_not_mix(void **state UNUSED)
{
	look(TRUST_HOOK, "{}", true);
	assert_record(OLD, "{\"hook pre-commit\":null}");
}

static void
any_bytes_come_back(void **state UNUSED)
{
	static const char *const texts[] = {
	    "", "plain", "\xc3\xbc", "\xff\x01", "hex:", "hex:zz"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		AUTO_FREE char *name = trust_name("", texts[i]);
		AUTO_JSON *value = trust_value(texts[i], strlen(texts[i]));
		AUTO_BUF bytes = BUF_INIT;

		trust_bytes(name, &bytes);
		assert_string_equal(bytes.data, texts[i]);
		buf_clear(&bytes);
		trust_bytes(json_string_value(value), &bytes);
		assert_string_equal(bytes.data, texts[i]);
	}
}

/* Of each setting that could do harm: what git is given instead when an agent has added it, or
 * how it is kept from having an effect. */
static void
keys_that_could_do_harm(void **state UNUSED)
{
	static const char *const yes[] = {"filter.lfs.process", "filter.a.b.clean",
	    "filter.x.smudge", "filter.x.required", "merge.M.driver", "merge.default",
	    "merge.renormalize", "diff.external", "diff.png.textconv", "diff.png.command",
	    "core.hookspath", "core.fsmonitor", "core.sshcommand", "core.editor", "core.pager",
	    "core.askpass", "core.gitproxy", "core.alternaterefscommand", "core.attributesfile",
	    "core.excludesfile", "core.autocrlf", "core.eol", "core.filemode", "core.symlinks",
	    "core.worktree", "credential.helper", "credential.https://x.y.helper",
	    "gpg.program", "gpg.ssh.program", "gpg.ssh.defaultkeycommand", "alias.co",
	    "pager.log", "hook.x.command", "includeif.gitdir:x.path", "info/attributes",
	    "interactive.difffilter", "remote.o.uploadpack", "remote.o.receivepack",
	    "remote.o.vcs", "sequence.editor", "submodule.x.update", "trailer.x.command",
	    "trailer.x.cmd", "uploadpack.packobjectshook"};
	/* Why they do none: git/trust/trust_keys.c. */
	static const char *const no[] = {"user.name", "branch.main.remote", "remote.origin.url",
	    "core.bare", "filter.clean", "filter..clean", "merge.conflictstyle",
	    "diff.algorithm", "extensions.worktreeconfig", "extensions.partialclone",
	    "core.hookspathx", "commit.gpgsign", "gpg.format", "url.x.insteadof",
	    "protocol.ext.allow", "receive.denycurrentbranch", "init.templatedir",
	    "include.path", "branch.main.mergeoptions", "submodule.recurse", "http.proxy"};

	for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
		const struct trust_key *key = trust_key_find(yes[i]);

		if (!key || (key->how == KEY_REPLACED && !key->instead))
			fail_msg("%s", yes[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		if (trust_key_find(no[i]))
			fail_msg("%s", no[i]);
}

static void
attributes_that_change_what_lands(void **state UNUSED)
{
	static const struct {
		const char *before, *now;
		bool matter;
	} cases[] = {
	    {"", "", false},
	    {"", "# * merge=union\n\n", false},
	    {"", "*.png diff=png\n*.md linguist-documentation\n", false},
	    {"", "*.ipynb filter=nbstripout\n", false}, /* which does not run */
	    {"", "*.ipynb filter=x\n", true},		/* which does, as it was agreed to */
	    {"", "secret -filter\n", true},
	    {"", "secret !filter", true},
	    {"", "secret filter", true},
	    {"", "* merge=union\n", true},
	    {"", "*\tdiff=x -text\n", true},
	    {"", "\"a b\" eol=crlf\n", true},
	    {"", "\"merge\\\" x\" diff\n", false},
	    {"", "merge=union diff\n", false}, /* a file of that name */
	    {"", "[attr]innocent diff\n", true},
	    {"* filter=x\n", "", true},
	    {"* filter=x\n", "* filter=x\n*.c diff=cpp\n", false},
	    {"* merge=union\n*.c diff=cpp\n", "* merge=union\n", false},
	    {"* diff=a\n* merge=union\n", "* merge=union\n* diff=a\n", true},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (trust_attributes_matter(cases[i].before, cases[i].now, record) !=
		    cases[i].matter)
			fail_msg("%s | %s", cases[i].before, cases[i].now);
}

/* ---- with a repository --------------------------------------------------------------- */

static bool
lives(const char *loop)
{
	return strcmp(loop, "other") == 0;
}

static int
trust_setup(void **state)
{
	if (repo_setup(state) < 0)
		return -1;
	trust_home(at("trust"));
	return trust_begin(at("repo"), "one", lives, NULL);
}

static int
trust_teardown(void **state)
{
	trust_home(NULL);
	return repo_teardown(state);
}

/* The names, a space between them. */
static void
assert_untrusted(const char *names)
{
	AUTO_JSON *list = trust_list(at("repo"), NULL);
	AUTO_BUF all = BUF_INIT;

	for (void *it = json_object_iter(list); it; it = json_object_iter_next(list, it))
		buf_addf(&all, "%s%s", all.len > 0 ? "; " : "", json_object_iter_key(it));
	assert_string_equal(all.data, names);
}

static void
settings_of_any_file_are_seen(void **state UNUSED)
{
	assert_untrusted("");
	sh("git -C repo config user.email x@y; git -C repo config branch.x.remote y");
	assert_untrusted("");
	sh("git -C repo config gpg.program evil");
	assert_untrusted("git gpg.program");
	sh("git -C repo config --unset gpg.program; printf '[gpg]\\nprogram = evil\\n' >extra; "
	   "git -C repo config include.path %s/extra",
	    scratch.path);
	assert_untrusted("git gpg.program");
	sh("printf '[core]\\npager = evil\\n' >extra");
	assert_untrusted("git core.pager");
	sh(": >extra");
	assert_untrusted("");
}

/* A setting that only counts in one worktree is found there. */
static void
settings_of_one_worktree_are_guarded_there(void **state UNUSED)
{
	AUTO_FREE char *value = NULL;

	sh("git -C repo worktree add -q %s/wt; git -C repo config extensions.worktreeConfig "
	   "true; "
	   "git -C wt config --worktree gpg.program evil",
	    scratch.path);
	value = git_line(at("wt"), "git config", ARGS("config", "gpg.program"), NULL);
	assert_string_equal(value, "gpg");
}

static void
what_a_condition_brings_is_guarded(void **state UNUSED)
{
	AUTO_FREE char *value = NULL;

	sh("printf '[gpg]\\nprogram = evil\\n' >extra; git -C repo worktree add -q %s/wt; git "
	   "-C repo "
	   "config 'includeIf.gitdir:**/worktrees/**.path' %s/extra; git -C repo config "
	   "gpg.x509.program y",
	    scratch.path, scratch.path);
	value = git_line(at("wt"), "git config", ARGS("config", "gpg.program"), NULL);
	assert_string_equal(value, "gpg");
}

/* The condition is a person's, and holds in the worktrees alone; the file is changed. */
static void
what_a_known_condition_brings_anew_is_guarded(void **state UNUSED)
{
	AUTO_FREE char *value = NULL;

	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh(": >extra; git -C repo worktree add -q %s/wt; git -C repo "
	   "config 'includeIf.gitdir:**/worktrees/**.path' %s/extra",
	    scratch.path, scratch.path);
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	assert_untrusted("");
	sh("printf '[gpg]\\nprogram = evil\\n' >extra");
	value = git_line(at("wt"), "git config", ARGS("config", "gpg.program"), NULL);
	assert_string_equal(value, "gpg");
}

static void
assert_value(const char *dir, const char *key, const char *expected)
{
	AUTO_FREE char *value = git_line(at(dir), "git config", ARGS("config", key), &err);

	if (!value)
		fail_msg("%s: %s", key, err.text);
	assert_string_equal(value, expected);
}

/* What the file of a condition that holds elsewhere includes in turn. */
static void
what_a_condition_brings_from_further_files_is_guarded(void **state UNUSED)
{
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("printf '[include]\\npath = second\\n' >first; printf '[includeIf "
	   "\"gitdir:**\"]\\npath = "
	   "third\\n' >second; : >third; git -C repo worktree add -q %s/wt; git -C repo config "
	   "'includeIf.gitdir:**/worktrees/**.path' %s/first",
	    scratch.path, scratch.path);
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	assert_untrusted("");
	sh("printf '[gpg]\\nprogram = evil\\n' >third");
	assert_untrusted("git includeif.gitdir:**/worktrees/**.path");
	assert_value("wt", "gpg.program", "gpg");
}

/* Each as an agent adds it, and as git has it then. */
static void
settings_that_agents_add_have_no_effect(void **state UNUSED)
{
	static const char *const cases[][2] = {
	    {"merge.default", "text"},
	    {"core.autocrlf", "false"},
	    {"core.editor", ":"},
	    {"core.pager", "cat"},
	    {"core.askPass", "false"},
	    {"core.sshCommand", "ssh"},
	    {"core.fsmonitor", "false"},
	    {"core.hooksPath", "/dev/null"},
	    {"core.excludesFile", "~/.config/git/ignore"},
	    {"core.attributesFile", "~/.config/git/attributes"},
	    {"gpg.program", "gpg"},
	    {"diff.external", "true"},
	    {"filter.x.clean", ""},
	    {"sequence.editor", ":"},
	    {"uploadpack.packObjectsHook", "false"},
	    {"trailer.x.command", "false"},
	    {"submodule.recurse", "false"},
	    {"grep.patternType", "default"},
	    /* A person's own. */
	    {"core.filemode", "true"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		sh("git -C repo config %s evil", cases[i][0]);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_value("repo", cases[i][0], cases[i][1]);
}

static void
attributes_beside_the_repository_are_refused(void **state UNUSED)
{
	AUTO_FREE char *head = NULL;

	sh("mkdir -p repo/.git/info; echo '*.ipynb filter=n diff=n' "
	   ">repo/.git/info/attributes");
	assert_untrusted("git info/attributes");
	assert_int_equal(git_yes(at("repo"), ARGS("rev-parse", "HEAD")), true);
	sh("echo '* merge=union' >repo/.git/info/attributes");
	head = git_line(at("repo"), "git rev-parse", ARGS("rev-parse", "HEAD"), &err);
	assert_null(head);
	assert_non_null(strstr(err.text, "info/attributes was changed while an agent worked"));
}

/* However many there are, and whatever they are called: more than those whose content is
 * kept. */
static void
hooks_beyond_the_limit_are_not_run(void **state UNUSED)
{
	AUTO_FREE char *hooks = NULL;
	AUTO_FREE char *later = NULL;
	bool others;

	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("cd repo/.git/hooks; rm -f *; for i in $(seq 300); do echo mine >a$i; done; echo "
	   "mine "
	   ">pre-commit; chmod +x *");
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	assert_untrusted("");
	assert_int_equal(guard_hooks(at("repo"), &hooks, &others, NULL), 0);
	assert_string_equal(hooks, at("repo/.git/hooks"));
	sh("echo evil >repo/.git/hooks/pre-commit");
	assert_untrusted("hook (more)");
	assert_int_equal(guard_hooks(at("repo"), &later, &others, &err), -1);
	assert_non_null(strstr(err.text, "ralph trust"));
}

/* Agents may not push those that count out of sight. */
static void
hooks_that_agents_add_hide_none(void **state UNUSED)
{
	AUTO_FREE char *hooks = NULL;
	bool others;

	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("cd repo/.git/hooks; rm -f *; echo mine >pre-commit; chmod +x *");
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	sh("cd repo/.git/hooks; for i in $(seq 300); do echo evil >a$i; done; chmod +x *");
	assert_int_equal(guard_hooks(at("repo"), &hooks, &others, &err), 0);
	assert_true(others);
	assert_shell("mine", "cat %s/*", hooks);
}

/* What an older version did not look at is seen for the first time. */
static void
records_of_the_first_version_are_read(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;

	sh("mkdir -p repo/.tf/ralph; cd trust; for f in *.json; do sed -e 's/\"version\": *2/"
	   "\"version\":1/' -e 's/\"git core.filemode\": *\"true\"/\"git "
	   "gpg.program\":\"mine\"/' $f >$f~; grep -q gpg.program $f~; mv $f~ $f; done; cd ..; "
	   "git -C repo config gpg.program evil; git -C repo config merge.default binary; echo "
	   "'{\"success\":\"closed\",\"setup\":\"evil\"}' >repo/.tf/ralph/config.json");
	buf_adds(&text, "{\"success\":\"closed\",\"setup\":\"evil\"}");
	assert_int_equal(trust_project(at("repo"), &text, NULL), 0);
	assert_non_null(strstr(text.data, "closed"));
	assert_null(strstr(text.data, "evil"));
	assert_value("repo", "gpg.program", "mine");
	assert_value("repo", "merge.default", "binary");
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	sh("git -C repo config merge.default union; echo '{\"success\":\"exit\"}' "
	   ">repo/.tf/ralph/config.json");
	buf_clear(&text);
	buf_adds(&text, "{\"success\":\"exit\"}");
	assert_int_equal(trust_project(at("repo"), &text, NULL), 0);
	assert_non_null(strstr(text.data, "closed"));
	assert_value("repo", "merge.default", "binary");
}

static void
another_work_tree_is_refused(void **state UNUSED)
{
	AUTO_FREE char *head = NULL;

	sh("git -C repo config core.worktree /");
	head = git_line(at("repo"), "git rev-parse", ARGS("rev-parse", "HEAD"), &err);
	assert_null(head);
	assert_non_null(strstr(err.text, "core.worktree was changed while an agent worked"));
}

static void
a_repository_that_nobody_knows_runs_nothing(void **state UNUSED)
{
	AUTO_FREE char *value = NULL;
	AUTO_FREE char *hooks = NULL;
	bool others;

	sh("git init -q repo/inner; git -C repo/inner config gpg.program evil");
	value = git_line(at("repo/inner"), "git config", ARGS("config", "gpg.program"), NULL);
	assert_string_equal(value, "gpg");
	assert_int_equal(guard_hooks(at("repo/inner"), &hooks, &others, NULL), 0);
	assert_string_equal(hooks, "/dev/null");
}

/* Paths are bytes. */
static void
a_repository_anywhere_is_known(void **state UNUSED)
{
	AUTO_FREE char *value = NULL;

	sh("git clone -q repo \"$(printf 'r\\377')\"");
	assert_int_equal(trust_begin(at("r\377"), "two", lives, NULL), 0);
	sh("git -C \"$(printf 'r\\377')\" config gpg.program evil");
	value = git_line(at("r\377"), "git config", ARGS("config", "gpg.program"), &err);
	assert_non_null(value);
	assert_string_equal(value, "gpg");
}

static void
projects_come_and_go(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;

	sh("mkdir -p repo/sub/.tf/ralph; echo '{\"setup\":\"mine\"}' "
	   ">repo/sub/.tf/ralph/config.json");
	assert_int_equal(trust_begin(at("repo/sub"), "other", lives, NULL), 0);
	sh("echo '{\"setup\":\"evil\"}' >repo/sub/.tf/ralph/config.json");
	buf_adds(&text, "{\"setup\":\"evil\", \"maxIterations\":3}");
	assert_int_equal(trust_project(at("repo/sub"), &text, NULL), 0);
	assert_non_null(strstr(text.data, "\"mine\""));
	assert_non_null(strstr(text.data, "maxIterations"));
	sh("rm -r repo/sub");
	assert_int_equal(trust_begin(at("repo"), "other", lives, NULL), 0);
	assert_untrusted("");
}

static void
loops_that_run_are_waited_for(void **state UNUSED)
{
	assert_int_equal(trust_begin(at("repo"), "other", lives, NULL), 0);
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("git -C repo config gpg.program evil");
	assert_untrusted("git gpg.program");
	assert_int_equal(trust_end(at("repo"), "other", NULL), 0);
	sh("git -C repo config gpg.program mine");
	assert_untrusted("");
}

static void
news_are_told_once(void **state UNUSED)
{
	char **news = trust_news(at("repo"));

	strlist_free(news);
	sh("git -C repo config gpg.program evil");
	assert_untrusted("git gpg.program");
	news = trust_news(at("repo"));
	assert_string_equal(news[0], "git gpg.program");
	strlist_free(news);
	assert_null(trust_news(at("repo")));
}

static void
what_was_not_shown_is_not_agreed_to(void **state UNUSED)
{
	AUTO_JSON *list = NULL;

	sh("git -C repo config gpg.program evil");
	list = trust_list(at("repo"), NULL);
	sh("git -C repo config gpg.program worse");
	assert_untrusted("git gpg.program");
	assert_int_equal(trust_agree(at("repo"), list, NULL), 0);
	assert_untrusted("git gpg.program");
}

static void
a_damaged_record_is_written_again(void **state UNUSED)
{
	sh("git -C repo config gpg.program evil; for f in trust/*.json; do echo "
	   "'{\"place\":1}' >$f; done");
	assert_value("repo", "gpg.program", "gpg");
	assert_untrusted("git gpg.program");
	strlist_free(trust_news(at("repo")));
	assert_non_null(strstr(trust_loss(), "written again"));
	assert_null(trust_loss());
}

/* After the loop: only the witness tells. */
static void
without_a_record_nothing_is_agreed_to(void **state UNUSED)
{
	sh("git -C repo config gpg.program evil");
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("rm -r trust");
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	assert_value("repo", "gpg.program", "gpg");
	strlist_free(trust_news(at("repo")));
	assert_non_null(strstr(trust_loss(), "nothing is agreed to"));
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	strlist_free(trust_news(at("repo")));
	assert_null(trust_loss());
	assert_value("repo", "gpg.program", "gpg");
}

/* The settings are broken when the loss is found, and good between two loops. */
static void
what_a_lost_record_could_not_see_is_not_a_persons(void **state UNUSED)
{
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("rm -r trust; cp repo/.git/config good; printf '[gpg\nprogram' "
	   ">>repo/.git/config");
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	trust_home(at("trust"));
	sh("cp good repo/.git/config; git -C repo config gpg.program evil");
	assert_int_equal(trust_begin(at("repo"), "two", lives, NULL), 0);
	assert_value("repo", "gpg.program", "gpg");
}

/* Where another home's or an older one's record is, there is no witness yet. */
static void
a_record_without_a_witness_counts(void **state UNUSED)
{
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("rm -r repo/.git/ralph-trust; git -C repo config gpg.program mine");
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	assert_untrusted("");
	sh("test -d repo/.git/ralph-trust");
}

/* One that an agent made, or put back from before the loop, does not say that it runs. */
static void
a_replaced_record_is_written_again(void **state UNUSED)
{
	assert_int_equal(trust_end(at("repo"), "one", NULL), 0);
	sh("cp -r trust old");
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	sh("cp old/*.json trust; git -C repo config gpg.program evil");
	assert_untrusted("git gpg.program");
	strlist_free(trust_news(at("repo")));
	assert_non_null(strstr(trust_loss(), "written again"));
}

/* An agent that breaks the settings does not get them looked over, nor a loop stopped. */
static void
broken_settings_run_nothing(void **state UNUSED)
{
	sh("cp repo/.git/config good; printf '[gpg\\nprogram' >>repo/.git/config");
	assert_int_equal(git_run(at("repo"), "git status", ARGS("status"), NULL, &err), -1);
	assert_int_equal(trust_begin(at("repo"), "one", lives, NULL), 0);
	sh("cp good repo/.git/config; git -C repo config gpg.program evil");
	assert_untrusted("git gpg.program");
}

static void
without_git_loops_begin_all_the_same(void **state UNUSED)
{
	AUTO_FREE char *path = xstrdup(getenv("PATH"));

	sh("cp -r repo other");
	setenv("PATH", "/nonexistent", 1);
	assert_int_equal(trust_begin(at("other"), "one", lives, NULL), 0);
	setenv("PATH", path, 1);
}

int
main(void)
{
#define PURE(fn) cmocka_unit_test_setup_teardown(fn, record_setup, record_teardown)
#define WITH_GIT(fn) cmocka_unit_test_setup_teardown(fn, trust_setup, trust_teardown)
	const struct CMUnitTest tests[] = {
	    PURE(what_did_not_change_stays),
	    PURE(what_agents_change_is_not_trusted),
	    PURE(it_stays_so_while_it_is_as_they_left_it),
	    PURE(what_a_person_changes_is_trusted),
	    PURE(what_is_put_back_is_trusted_whoever_did_it),
	    PURE(kinds_do_not_mix),
	    PURE(any_bytes_come_back),
	    PURE(keys_that_could_do_harm),
	    PURE(attributes_that_change_what_lands),
	    WITH_GIT(settings_of_any_file_are_seen),
	    WITH_GIT(settings_of_one_worktree_are_guarded_there),
	    WITH_GIT(what_a_condition_brings_is_guarded),
	    WITH_GIT(what_a_known_condition_brings_anew_is_guarded),
	    WITH_GIT(what_a_condition_brings_from_further_files_is_guarded),
	    WITH_GIT(settings_that_agents_add_have_no_effect),
	    WITH_GIT(attributes_beside_the_repository_are_refused),
	    WITH_GIT(hooks_beyond_the_limit_are_not_run),
	    WITH_GIT(hooks_that_agents_add_hide_none),
	    WITH_GIT(records_of_the_first_version_are_read),
	    WITH_GIT(another_work_tree_is_refused),
	    WITH_GIT(a_repository_that_nobody_knows_runs_nothing),
	    WITH_GIT(a_repository_anywhere_is_known),
	    WITH_GIT(projects_come_and_go),
	    WITH_GIT(loops_that_run_are_waited_for),
	    WITH_GIT(news_are_told_once),
	    WITH_GIT(what_was_not_shown_is_not_agreed_to),
	    WITH_GIT(a_damaged_record_is_written_again),
	    WITH_GIT(without_a_record_nothing_is_agreed_to),
	    WITH_GIT(what_a_lost_record_could_not_see_is_not_a_persons),
	    WITH_GIT(a_record_without_a_witness_counts),
	    WITH_GIT(a_replaced_record_is_written_again),
	    WITH_GIT(broken_settings_run_nothing),
	    WITH_GIT(without_git_loops_begin_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

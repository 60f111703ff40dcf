#include "work/tickets/query.h"

#include "base/alloc.h"
#include "base/process/child.h"
#include "base/process/program.h"
#include "base/process/run.h"

#define QUERY_TIMEOUT (INT64_C(60) * 1000000000)

/* "tk-ready" in PATH, or the older name of such programs. */
static char *
find_plugin(void)
{
	static const char *const names[] = {"tk-ready", "ticket-ready"};
	AUTO_STRLIST dirs = program_dirs(getenv("PATH"));

	for (char **dir = dirs; *dir != NULL; dir++)
		for (size_t i = 0; i < ARRAY_LEN(names); i++) {
			AUTO_FREE char *file = xasprintf("%s/%s", *dir, names[i]);

			if (program_is(file))
				return take_ptr(file);
		}
	return NULL;
}

/* The default query of the original asks for one ticket.  That ticket may be running or have
 * failed, so we ask for all of them. */
static char *
without_head(const char *query)
{
	static const char *const heads[] = {"| head -1", "| head -n 1", "| head -n1"};
	AUTO_BUF out = BUF_INIT;

	buf_adds(&out, query);
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		char *at = strstr(out.data, heads[i]);
		size_t len = strlen(heads[i]);

		if (at != NULL)
			memset(at, ' ', len);
	}
	return buf_detach(&out);
}

void
query_init(struct query *q, const struct settings *settings)
{
	*q = (struct query){.settings = settings};
	if (settings->ticket_query != NULL)
		q->query = without_head(settings->ticket_query);
	else
		q->plugin = find_plugin();
}

void
query_release(struct query *q)
{
	free(q->query);
	free(q->plugin);
}

bool
query_lists(const struct query *q)
{
	return q->query != NULL || q->plugin != NULL;
}

bool
query_wanted(const struct query *q)
{
	return query_lists(q) || q->settings->completion_check != NULL;
}

/* Runs the program, or the command of the shell when `program` is NULL. */
static int
tickets_query_run(const struct query *q, const char *what, const char *program,
    const char *command, struct run_result *result, struct err *err)
{
	AUTO_STRLIST argv = program == NULL ? child_shell(command) : strlist_add(NULL, program);

	return run_program(
	    &(struct run_spec){
		.what = what, .argv = argv, .cwd = q->settings->root, .timeout = QUERY_TIMEOUT},
	    result, err);
}

/* "ticketQuery exited with 3: <first line of stderr>" */
static int
tickets_query_failed(const char *what, const struct run_result *r, struct err *err)
{
	size_t len = strcspn(r->err.data, "\n");

	return err_set(err, "%s ended with %d%s%.*s", what, exit_number(r->status),
	    len > 0 ? ": " : "", (int)(len > 200 ? 200 : len), r->err.data);
}

static bool
complains(const struct run_result *r)
{
	return strspn(r->err.data, " \t\r\n") < r->err.len;
}

static int
tickets_query_check(const struct query *q, bool *work, struct err *err)
{
	static const char what[] = "completionCheck";
	AUTO_RUN r = RUN_INIT;
	int rc;

	*work = true;
	if (q->settings->completion_check == NULL)
		return 0;
	rc = tickets_query_run(q, what, NULL, q->settings->completion_check, &r, err);
	if (rc == 0 && (r.status.how != EXIT_CODE || r.status.value > 1 ||
			   (!exit_ok(r.status) && complains(&r))))
		rc = tickets_query_failed(what, &r, err);
	*work = exit_ok(r.status);
	return rc;
}

/* Appends the first word of every line. */
static void
first_words(const struct buf *text, struct buf *ids)
{
	const char *line = text->data;

	while (line != NULL && *line != '\0') {
		size_t skip = strspn(line, " \t");
		size_t len = strcspn(line + skip, " \t\r\n");

		if (len > 0) {
			buf_add(ids, line + skip, len);
			buf_addc(ids, '\n');
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
}

int
query_run(const struct query *q, struct buf *ids, bool *work, struct err *err)
{
	const char *what = q->query != NULL ? "ticketQuery" : q->plugin;
	AUTO_RUN r = RUN_INIT;
	int rc;

	if (tickets_query_check(q, work, err) < 0)
		return -1;
	if (!*work || !query_lists(q))
		return 0;
	rc = tickets_query_run(q, what, q->plugin, q->query, &r, err);
	if (rc == 0 && exit_ok(r.status))
		first_words(&r.out, ids);
	if (rc == 0 && (!exit_ok(r.status) || (ids->len == 0 && complains(&r))))
		rc = tickets_query_failed(what, &r, err);
	return rc;
}

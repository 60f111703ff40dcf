#include "world.h"

#include "base/fs.h"
#include "base/process/proc.h"
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <termios.h>

char world_self[PATH_MAX];

/* ---- agents -------------------------------------------------------------------------- */

/* Prints the descriptors that we inherited. */
static int
agent_fds(void)
{
	for (int fd = 0; fd < 256; fd++) {
		char link[64], target[PATH_MAX];
		ssize_t n;

		if (fcntl(fd, F_GETFD) < 0)
			continue;
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		printf("%d%s\n", fd < 3 ? fd : 3,
		    strstr(target, "/task.lock") != NULL ? " lock" : "");
	}
	return 0;
}

/* An interactive program: raw mode, bracketed paste if asked; all that is typed up to
 * Enter after the end of the paste goes to a file. */
static int
agent_raw(const char *path, bool bracketed, size_t expect)
{
	struct termios t;
	FILE *out = fopen(path, "we");
	size_t got = 0;
	int c;

	if (out == NULL || tcgetattr(0, &t) < 0)
		return 1;
	cfmakeraw(&t);
	tcsetattr(0, TCSANOW, &t);
	printf("%sready> ", bracketed ? "\033[?2004h" : "");
	fflush(stdout);
	while ((c = getchar()) != EOF) {
		fputc(c, out);
		if (++got == expect - 1) {
			printf("[pasted]");
			fflush(stdout);
		}
		if (got == expect)
			break;
	}
	fclose(out);
	printf("thank you");
	fflush(stdout);
	return got == expect ? 0 : 1;
}

/* Prints and prints, but gets nowhere. */
static int
agent_spin(void)
{
	for (unsigned i = 0; printf("\r%u", i) > 0; i++) {
		fflush(stdout);
		(void)poll(NULL, 0, 50);
	}
	return 0;
}

/* Shows the texts in turn, for so long or until something is typed.  It tells afterwards if the
 * screen stood still for a while because the machine was busy.  The last pause counts, too:
 * what is typed may have come because of it. */
static void
blink(const char *const texts[4], int64_t time)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int64_t begun = clock_boot(), last = begun, widest = 0;
	bool typed = false;

	for (int i = 0; last - begun < time && !typed; i++) {
		int64_t now;

		typed = poll(&in, 1, 50) != 0;
		now = clock_boot();
		widest = now - last > widest ? now - last : widest;
		last = now;
		if (!typed)
			printf("\r%s", texts[i % 4]);
		fflush(stdout);
	}
	if (widest >= 200 * NSEC_PER_MSEC)
		printf("\nlate");
}

static int
line_take(void)
{
	char line[64];

	fflush(stdout);
	if (fgets(line, sizeof(line), stdin) == NULL)
		return 1;
	printf("got-%s", line);
	return 0;
}

/* Gets ready slowly, and shows dots that come and go meanwhile. */
static int
agent_dots(void)
{
	static const char *const dots[] = {"loading   ", "loading.", "loading..", "loading..."};

	blink(dots, 1500 * NSEC_PER_MSEC);
	printf("\nwelcome\n");
	return line_take();
}

/* Shows a screen that never rests. */
static int
agent_blinks(void)
{
	static const char *const marks[] = {"| wait", "/ wait", "- wait", "\\ wait"};

	blink(marks, INT64_MAX);
	return line_take();
}

/* Reads a text up to Enter; newlines of a paste are part of the text.  Shows what is typed. */
static bool
message_read(struct buf *text)
{
	bool pasting = false;
	char mark[6];
	int c;

	buf_clear(text);
	while ((c = getchar()) != EOF) {
		if (c == '\033') {
			if (fread(mark, 1, 5, stdin) != 5)
				return false;
			pasting = memcmp(mark, "[200~", 5) == 0;
			fflush(stdout);
			continue;
		}
		if (c == '\r' && !pasting)
			return true;
		buf_addc(text, (char)c);
		printf(c == '\r' ? "\r\n" : "%c", c);
		if (!pasting)
			fflush(stdout);
	}
	return false;
}

static void
message_note(const char *path, const struct buf *text)
{
	FILE *out = fopen(path, "we");

	if (out == NULL)
		return;
	fwrite(text->data, 1, text->len, out);
	fclose(out);
}

static void
answer_print(const char *path)
{
	AUTO_BUF text = BUF_INIT;

	while (fs_read(AT_FDCWD, path, (size_t)1 << 20, &text, NULL) < 0)
		(void)poll(NULL, 0, 5);
	for (size_t i = 0; i < text.len; i++)
		printf(text.data[i] == '\n' ? "\r\n" : "%c", text.data[i]);
}

/* An interactive agent that only says what it is told to say. */
static int
agent_worker(const char *dir)
{
	AUTO_BUF text = BUF_INIT;
	char path[PATH_MAX];
	struct termios t;
	int n = 1;

	if (tcgetattr(0, &t) < 0)
		return 1;
	cfmakeraw(&t);
	tcsetattr(0, TCSANOW, &t);
	printf("\033[?2004hhello\r\n> ");
	fflush(stdout);
	while (message_read(&text)) {
		if (strcmp(text.data, "/clear") == 0) {
			printf("\033[H\033[2Jcleared\r\n> ");
		} else {
			printf("\r\n");
			fflush(stdout);
			snprintf(path, sizeof(path), "%s/got.%d", dir, n);
			message_note(path, &text);
			snprintf(path, sizeof(path), "%s/say.%d", dir, n++);
			answer_print(path);
			printf("> ");
		}
		fflush(stdout);
	}
	return 0;
}

static int
agent_main(int argc, char **argv)
{
	if (strcmp(argv[2], "worker") == 0 && argc >= 4)
		return agent_worker(argv[3]);
	if (strcmp(argv[2], "spin") == 0)
		return agent_spin();
	if (strcmp(argv[2], "dots") == 0)
		return agent_dots();
	if (strcmp(argv[2], "blinks") == 0)
		return agent_blinks();
	if (strcmp(argv[2], "fds") == 0)
		return agent_fds();
	if (strcmp(argv[2], "raw") == 0 && argc >= 6)
		return agent_raw(argv[3], *argv[4] == 'b', strtoul(argv[5], NULL, 10));
	return 99;
}

/* ---- parts --------------------------------------------------------------------------- */

bool
world_is_another_part(int argc, char **argv)
{
	return argc > 1 && (strcmp(argv[1], KEEPER_ARG) == 0 || strcmp(argv[1], "agent") == 0);
}

int
world_play(int argc, char **argv)
{
	if (strcmp(argv[1], KEEPER_ARG) == 0) {
		fs_fault_init();
		return keeper_main(argc, argv);
	}
	return argc > 2 ? agent_main(argc, argv) : 99;
}

/* ---- a world ------------------------------------------------------------------------- */

static void
cb_running(void *ctx, struct session *s UNUSED, pid_t agent)
{
	struct world *w = ctx;

	w->running++;
	w->agent = agent;
}

static void
cb_signal(void *ctx, struct session *s UNUSED, const struct session_signal *sig)
{
	struct world *w = ctx;

	assert_true(sig->seq > w->seq);
	assert_int_equal(w->ended, 0);
	w->seq = sig->seq;
	if (sig->turn)
		buf_addf(&w->signals, "%d:", (int)sig->turn);
	buf_addf(&w->signals, "%s=%s;", signal_name(sig->kind), sig->text);
}

static void
cb_ended(void *ctx, struct session *s, struct exit_status status, const char *text)
{
	struct world *w = ctx;

	w->ended++;
	w->status = status;
	snprintf(w->text, sizeof(w->text), "%s", text);
	if (w->free_in_ended) {
		session_free(s);
		w->s = NULL;
	}
}

struct session_callbacks
world_callbacks(struct world *w)
{
	return (struct session_callbacks){
	    .running = cb_running, .signal = cb_signal, .ended = cb_ended, .ctx = w};
}

int
world_setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	const char *tmp = getenv("TMPDIR");

	assert_true(readlink("/proc/self/exe", world_self, sizeof(world_self) - 1) > 0);
	signal(SIGPIPE, SIG_IGN);
	snprintf(w->path, sizeof(w->path), "%.40s/keepXXXXXX", tmp != NULL ? tmp : "/tmp");
	assert_non_null(mkdtemp(w->path));
	w->dirfd = open(w->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	w->ev = ev_new();
	buf_init(&w->prompt);
	buf_init(&w->signals);
	buf_adds(&w->prompt, "the prompt\n");
	w->set.command = w->argv;
	w->set.mode = MODE_PIPE;
	w->set.grace = 5 * NSEC_PER_SEC;
	*state = w;
	return 0;
}

static void
count_one(pid_t pid UNUSED, void *ctx)
{
	++*(int *)ctx;
}

/* Counts by the marker: the id alone would find processes of another run of this test. */
int
world_left_behind(struct world *w)
{
	char entry[PATH_MAX + 32], path[PATH_MAX];
	int n = 0;

	assert_non_null(realpath(w->path, path));
	snprintf(entry, sizeof(entry), "RALPH_WORKER=%s/s1/worker", path);
	proc_each_with_env(entry, count_one, &n);
	return n;
}

void
world_read(struct world *w, const char *name, struct buf *out)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/s1/%s", w->path, name);
	(void)!fs_read(AT_FDCWD, path, (size_t)1 << 30, out, NULL);
}

int
world_teardown(void **state)
{
	struct world *w = *state;
	AUTO_BUF log = BUF_INIT;
	int64_t deadline = clock_boot() + PATIENCE;

	/* A test that failed half-way has left its session running. */
	if (w->s != NULL && !w->ended)
		session_end(w->s, false);
	while (w->s != NULL && !w->ended && w->agent > 0 && clock_boot() < deadline)
		ev_once(w->ev, 5 * NSEC_PER_MSEC);
	session_free(w->s);
	/* The keeper is our child: when it is gone, no child is left. */
	for (int i = 0; i < 1000 && proc_count_descendants(0) > 0; i++)
		ev_once(w->ev, 5 * NSEC_PER_MSEC);
	assert_int_equal(proc_count_descendants(0), 0);
	assert_int_equal(world_left_behind(w), 0);
	world_read(w, "../.keepers.log", &log);
	if (!w->may_grumble)
		assert_string_equal(log.data, "");
	ev_free(w->ev);
	close(w->dirfd);
	(void)!fs_remove_tree(AT_FDCWD, w->path, NULL);
	buf_release(&w->prompt);
	buf_release(&w->signals);
	free(w);
	return 0;
}

void
world_start(struct world *w)
{
	struct session_callbacks cb = world_callbacks(w);
	struct session_spec spec = {
	    .id = "s1",
	    .loop = "loop",
	    .iteration = 7,
	    .settings = &w->set,
	    .prompt = &w->prompt,
	    .task = w->task,
	    .token = w->token,
	    .facts = w->facts,
	    .clear = w->clear,
	};
	struct err err = ERR_INIT;

	w->s = session_start(w->ev, w->dirfd, &spec, &cb, &err);
	if (w->s == NULL)
		print_error("%s\n", err.text);
	assert_non_null(w->s);
	assert_string_equal(session_id(w->s), "s1");
}

void
world_start_sh(struct world *w, const char *script)
{
	static char sh[] = "sh", c[] = "-c";
	static char text[1024];

	snprintf(text, sizeof(text), "%s", script);
	w->argv[0] = sh;
	w->argv[1] = c;
	w->argv[2] = text;
	w->argv[3] = NULL;
	world_start(w);
}

enum session_probe
world_adopt(struct world *w, int64_t seq)
{
	struct session_callbacks cb = world_callbacks(w);
	enum session_probe probe = PROBE_ABSENT;
	struct err err = ERR_INIT;

	w->s = session_adopt(w->ev, w->dirfd, "s1", seq, &cb, &probe, &err);
	if (err.text[0])
		print_error("%s\n", err.text);
	assert_string_equal(err.text, "");
	assert_int_equal(w->s != NULL, probe == PROBE_RUNNING || probe == PROBE_ENDED);
	return probe;
}

void
world_wait_ended(struct world *w)
{
	WAIT_FOR(w, w->ended);
	assert_int_equal(w->ended, 1);
}

void
world_assert_exit(struct world *w, enum exit_how how, int value)
{
	world_wait_ended(w);
	assert_int_equal(w->status.how, how);
	assert_int_equal(w->status.value, value);
}

bool
world_output_has(struct world *w, const char *text)
{
	AUTO_BUF out = BUF_INIT;

	world_read(w, "output.raw", &out);
	return memmem(out.data, out.len, text, strlen(text)) != NULL;
}

bool
world_has_exited(struct world *w)
{
	struct session_info info;

	return session_info(w->dirfd, "s1", &info, NULL) == 0 && info.ended;
}

off_t
world_recorded(struct world *w)
{
	struct stat st;

	return fstatat(w->dirfd, "s1/output.raw", &st, 0) < 0 ? -1 : st.st_size;
}

int
world_dial(struct world *w, enum wire_role role, int rows, int cols)
{
	AUTO_CLOSE int dir = openat(w->dirfd, "s1", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = wire_dial(dir, role, rows, cols, 0, NULL);

	assert_true(fd >= 0);
	return fd;
}

/* Reads frames until one of that type holds the text. */
void
expect_frame(int fd, enum wire_type want, const char *text)
{
	int64_t deadline = clock_boot() + PATIENCE;
	AUTO_BUF data = BUF_INIT, all = BUF_INIT;
	enum wire_type type;

	while (clock_boot() < deadline) {
		assert_int_equal(wire_read_frame(fd, PATIENCE, &type, &data, NULL), 0);
		if (type != want)
			continue;
		buf_add(&all, data.data, data.len);
		if (memmem(all.data, all.len, text, strlen(text)) != NULL)
			return;
	}
	fail_msg("no %s", text);
}

bool
screen_has(int fd, const char *text)
{
	AUTO_BUF data = BUF_INIT;
	enum wire_type type;

	assert_int_equal(wire_write_frame(fd, WIRE_SCREEN, "", 0, NULL), 0);
	do
		assert_int_equal(wire_read_frame(fd, PATIENCE, &type, &data, NULL), 0);
	while (type != WIRE_SCREEN);
	return strstr(data.data, text) != NULL;
}

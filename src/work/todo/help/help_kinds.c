#include "work/todo/help/help_inside.h"

#include "base/alloc.h"
#include "base/text.h"
#include <ctype.h>

#define PATHS_SHOWN 20
#define DIRS_SHOWN 40
#define LINES_SHOWN 30
#define SCREEN_LINES 40
#define SCREEN_BYTES 4000
#define PLACES_SHOWN 6
#define PLACE_AROUND 2
#define LINE_SHOWN 200
#define MANIFESTS_SHOWN 6
#define MANIFEST_LINES 15
#define OWN_WORDS 6000

struct gathering {
	const struct help_question *q;
	struct help_words words;
	struct help_files files;
	struct buf *context, *about, *recommendation;
};

static const char *
help_kinds_text_of(const char *s)
{
	return s != NULL ? s : "";
}

/* ---- sections ------------------------------------------------------------------------ */

static bool
path_steers(const char *path)
{
	static const char *const names[] = {"README*", "CONTRIBUTING*", "AGENTS.md",
	    "CLAUDE.md", "GEMINI.md", ".cursorrules", "ARCHITECTURE*", "STYLE*", "HACKING*",
	    "CONVENTIONS*"};
	bool docs = strncmp(path, "doc/", 4) == 0 || strncmp(path, "docs/", 5) == 0 ||
		    strncmp(path, "ai/", 3) == 0;
	static const char *const texts[] = {"*.md", "*.rst", "*.txt", "*.adoc"};

	return help_path_matches(path, names, ARRAY_LEN(names)) ||
	       (docs && help_path_matches(path, texts, ARRAY_LEN(texts)));
}

static bool
path_is_code(const char *path)
{
	static const char *const others[] = {"*.md", "*.rst", "*.txt", "*.adoc", "*.lock",
	    "package-lock.json", "*.min.js", "*.map", "*.svg", "*.csv"};

	return !help_path_matches(path, others, ARRAY_LEN(others));
}

static bool
path_is_manifest(const char *path)
{
	static const char *const names[] = {"package.json", "Cargo.toml", "pyproject.toml",
	    "requirements*.txt", "setup.py", "setup.cfg", "Pipfile", "environment.yml",
	    "go.mod", "meson.build", "CMakeLists.txt", "Makefile", "configure.ac", "Gemfile",
	    "composer.json", "pom.xml", "build.gradle", "build.gradle.kts", "*.csproj",
	    "mix.exs", "pubspec.yaml", "Package.swift", "deno.json", "vcpkg.json",
	    "conanfile.*", "*.cabal", "flake.nix"};

	return help_path_matches(path, names, ARRAY_LEN(names));
}

static void
hits_show(struct gathering *g, const struct help_hits *hits)
{
	for (size_t i = 0; i < hits->n; i++) {
		const struct help_hit *hit = &hits->list[i];

		buf_adds(g->context, "- ");
		text_show(g->context, hit->path, strlen(hit->path), false);
		buf_addf(g->context, ":%zu: %s\n", hit->number, hit->text);
	}
}

/* Shows the lines that fit; returns how many. */
static size_t
lines_show(struct gathering *g, const char *title, bool (*wanted)(const char *),
    help_line_fn *score, size_t max)
{
	struct help_hits hits = {.max = max};
	size_t n;

	help_find_lines(&g->files, &g->words, wanted, score, &hits);
	n = hits.n;
	if (n > 0)
		buf_addf(g->context, "%s:\n", title);
	hits_show(g, &hits);
	if (n > 0)
		buf_addc(g->context, '\n');
	help_hits_release(&hits);
	return n;
}

/* Shows the paths that fit; returns the best one, for a sentence; NULL: none. */
static const char *
paths_show(struct gathering *g, size_t max, size_t *count)
{
	AUTO_FREE const char **paths = help_find_paths(&g->files, &g->words, max);
	const char *best = paths[0];

	if (best != NULL)
		buf_adds(g->context, "Files whose names fit, best first:\n");
	for (*count = 0; paths[*count] != NULL; ++*count) {
		buf_adds(g->context, "- ");
		text_show(g->context, paths[*count], strlen(paths[*count]), false);
		buf_addc(g->context, '\n');
	}
	if (best != NULL)
		buf_addc(g->context, '\n');
	return best;
}

/* Shows the directories among paths[from..to), which have their first skip bytes in common,
 * each with the number of files below it; two levels deep. */
static void
dirs_show(struct gathering *g, size_t from, size_t to, size_t skip, size_t *shown)
{
	char **paths = g->files.paths;

	while (from < to && *shown < DIRS_SHOWN) {
		size_t len = skip + strcspn(paths[from] + skip, "/");
		bool dir = paths[from][len] == '/';
		size_t end = from + 1;

		while (dir && end < to && strncmp(paths[end], paths[from], len + 1) == 0)
			end++;
		if (dir || skip == 0) {
			AUTO_FREE char *name = xstrndup(paths[from], len);

			buf_adds(g->context, skip > 0 ? "  - " : "- ");
			text_show(g->context, name, len, false);
			if (dir)
				buf_addf(g->context, "/ (%zu)", end - from);
			buf_addc(g->context, '\n');
			++*shown;
		}
		if (dir && skip == 0)
			dirs_show(g, from, end, len + 1, shown);
		from = end;
	}
}

static void
files_show(struct gathering *g)
{
	size_t shown = 0;

	buf_addf(g->context, "The tree (%zu files):\n", g->files.n);
	dirs_show(g, 0, g->files.n, 0, &shown);
	if (shown == DIRS_SHOWN)
		buf_adds(g->context, "- ...\n");
}

static void
own_words_show(struct gathering *g)
{
	const char *line = help_kinds_text_of(g->q->line);
	const char *description = help_kinds_text_of(g->q->description);

	if (*line != '\0')
		buf_addf(g->context, "The task as it stands in the list:\n> %.*s\n\n",
		    (int)strcspn(line, "\r\n"), line);
	if (*description != '\0')
		buf_addf(g->context, "Its description:\n%.*s\n\n", OWN_WORDS, description);
}

/* ---- kinds --------------------------------------------------------------------------- */

static void
files_gather(struct gathering *g)
{
	size_t count;
	const char *best = paths_show(g, PATHS_SHOWN, &count);

	files_show(g);
	buf_addf(g->about, "%zu file names of %zu", count, g->files.n);
	if (best != NULL)
		buf_addf(g->recommendation,
		    "Begin with %s, which fits your words best, and check the others only when "
		    "it is not the one. If none of them is, the file does not exist yet: "
		    "create it next to its nearest relative in the tree.",
		    best);
	else
		buf_adds(g->recommendation,
		    "No file has a name like that. If the task asks for it, create it where "
		    "the tree has similar files; otherwise search by content.");
}

static void
patterns_gather(struct gathering *g)
{
	size_t steering = lines_show(g, "What the project's documents say", path_steers,
	    help_words_line, LINES_SHOWN / 2);
	size_t code =
	    lines_show(g, "How the code does it", path_is_code, help_words_line, LINES_SHOWN);

	buf_addf(g->about, "%zu lines of documents, %zu lines of code", steering, code);
	if (steering + code > 0)
		buf_adds(g->recommendation,
		    "Do it as the places above do. Open the first of them "
		    "and follow its structure, names and error handling; "
		    "where documents and code differ, the documents win.");
	else
		buf_adds(g->recommendation,
		    "There is no precedent in the project. Use the simplest form that fits the "
		    "code around it, and say in your summary that you chose it.");
}

/* Appends a line of a file, as far as it is for people, and ends the line of the context. */
static void
line_show(struct gathering *g, struct span line)
{
	buf_add(g->context, line.p, line.len < LINE_SHOWN ? line.len : LINE_SHOWN);
	buf_addc(g->context, '\n');
}

/* Shows a line of a file with the lines around it. */
static bool
place_show(struct gathering *g, const char *path, size_t number)
{
	AUTO_BUF text = BUF_INIT;
	struct span line;
	const char *at;
	bool shown = false;

	if (!help_files_read(&g->files, path, &text))
		return false;
	at = text.data;
	for (size_t i = 1;
	     i <= number + PLACE_AROUND && front_line(&at, text.data + text.len, &line); i++)
		if (i + PLACE_AROUND >= number && !help_line_is_secret(line.p, line.len)) {
			buf_addf(g->context, "%s %s:%zu: ", i == number ? ">" : " ", path, i);
			line_show(g, line);
			shown = true;
		}
	if (shown)
		buf_addc(g->context, '\n');
	return shown;
}

/* Returns the line's number behind a name ("a.c:12", "a.py\", line 12", "a.cs(12"); 0: none. */
static size_t
number_behind(const char *at)
{
	static const char *const forms[] = {":", "\", line ", "', line ", "(", " line "};

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		size_t len = strlen(forms[i]);

		if (strncmp(at, forms[i], len) == 0 && isdigit((unsigned char)at[len]))
			return (size_t)strtoul(at + len, NULL, 10);
	}
	return 0;
}

static bool
help_kinds_is_name(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
	       (c != '\0' && strchr("_./-+@", c) != NULL);
}

/* Shows the places in files of the project that the text names; *first is the first file. */
static size_t
places_show(struct gathering *g, const char *text, size_t shown, const char **first)
{
	for (const char *at = text; *at != '\0' && shown < PLACES_SHOWN;) {
		size_t len = 0;
		size_t number;

		while (help_kinds_is_name(at[len]))
			len++;
		number = len > 2 ? number_behind(at + len) : 0;
		if (number > 0) {
			AUTO_FREE char *name = xstrndup(at, len);
			const char *path = help_files_find(&g->files, g->q->root, name);

			if (path != NULL && place_show(g, path, number)) {
				*first = *first != NULL ? *first : path;
				shown++;
			}
		}
		at += len > 0 ? len : 1;
	}
	return shown;
}

/* Shows the last lines of the screen that have something on them. */
static void
screen_show(struct gathering *g, const char *screen)
{
	size_t len = strlen(screen);
	size_t from, lines = 0;
	struct span line;

	while (len > 0 && isspace((unsigned char)screen[len - 1]))
		len--;
	for (from = len; from > 0 && len - from < SCREEN_BYTES; from--)
		if (screen[from - 1] == '\n' && ++lines == SCREEN_LINES)
			break;
	if (len == 0)
		return;
	buf_adds(g->context, "The screen when you asked:\n");
	for (const char *at = screen + from; front_line(&at, screen + len, &line);)
		if (!help_line_is_secret(line.p, line.len))
			buf_addf(g->context, "| %.*s\n", (int)line.len, line.p);
	buf_addc(g->context, '\n');
}

static void
errors_gather(struct gathering *g)
{
	AUTO_BUF screen = BUF_INIT;
	const char *first = NULL;
	size_t shown;

	text_strip(&screen, help_kinds_text_of(g->q->screen),
	    strlen(help_kinds_text_of(g->q->screen)));
	screen_show(g, screen.data);
	shown = places_show(g, help_kinds_text_of(g->q->question), 0, &first);
	shown = places_show(g, screen.data, shown, &first);
	if (shown == 0)
		shown = lines_show(g, "Lines that have its words", path_is_code,
		    help_words_line, LINES_SHOWN / 2);
	buf_addf(g->about, "the screen, %zu places it names", shown);
	if (first != NULL)
		buf_addf(g->recommendation,
		    "Begin with the first error, at the place in %s shown above; later ones "
		    "are often its consequence. Reproduce it with the smallest command, fix "
		    "the cause, and run that command again.",
		    first);
	else
		buf_adds(g->recommendation,
		    "Read the first error, not the last. Reproduce it with the smallest "
		    "command, change one thing at a time, and undo what did not help.");
}

static void
scope_gather(struct gathering *g)
{
	own_words_show(g);
	buf_adds(g->about, "the task's own words");
	buf_adds(g->recommendation,
	    "In scope is what these words ask for and what it needs to work and be tested; all "
	    "else is out of scope. Where they leave a choice, take the smallest reading, and "
	    "name it in your summary.");
}

static void
manifest_show(struct gathering *g, const char *path, size_t *fits)
{
	AUTO_BUF text = BUF_INIT;
	struct span line;
	const char *at;
	size_t shown = 0;

	if (!help_files_read(&g->files, path, &text))
		return;
	buf_addf(g->context, "%s:\n", path);
	at = text.data;
	for (size_t i = 1;
	     shown < MANIFEST_LINES && front_line(&at, text.data + text.len, &line); i++)
		if (!help_line_is_secret(line.p, line.len) &&
		    help_words_line(&g->words, line.p, line.len) > 0) {
			buf_addf(g->context, "- %zu: ", i);
			line_show(g, line);
			shown++;
		}
	*fits += shown;
	if (shown == 0)
		buf_adds(g->context, "- nothing there has the words of your question\n");
	buf_addc(g->context, '\n');
}

static void
dependencies_gather(struct gathering *g)
{
	size_t shown = 0, fits = 0;

	/* Shows manifests near the top first. */
	for (int depth = 0; depth < 4 && shown < MANIFESTS_SHOWN; depth++)
		for (size_t i = 0; i < g->files.n && shown < MANIFESTS_SHOWN; i++) {
			int slashes = 0;

			for (const char *p = g->files.paths[i]; *p != '\0'; p++)
				slashes += *p == '/';
			if (slashes != depth || !path_is_manifest(g->files.paths[i]))
				continue;
			manifest_show(g, g->files.paths[i], &fits);
			shown++;
		}
	buf_addf(g->about, "%zu manifests, %zu lines that fit", shown, fits);
	if (fits > 0)
		buf_adds(g->recommendation,
		    "It is declared already: use it in the version the manifest has, and "
		    "install what is declared if it is not there yet.");
	else if (shown > 0)
		buf_adds(g->recommendation,
		    "It is not declared. Prefer what the project already depends on; if the "
		    "task cannot be done without it, add it with the project's own package "
		    "manager, so that manifest and lock file change together.");
	else
		buf_adds(g->recommendation, "The project has no manifest: do without a new "
					    "dependency, or signal blocked.");
}

/* Scores a line with a call, decorator or table that names a route, and something that looks
 * like one. */
static int
line_routes(const struct help_words *w, const char *line, size_t len)
{
	static const char *const signs[] = {".get(", ".post(", ".put(", ".patch(", ".delete(",
	    ".route(", ".GET(", ".POST(", ".PUT(", ".DELETE(", "@app.", "@router.", "@Get",
	    "@Post", "@Put", "@Delete", "@RequestMapping", "@Path(", "HandleFunc(", "Handle(",
	    "path(", "re_path(", "url(", "Route::", "#[get(", "#[post(", "#[put(", "#[delete(",
	    "MapGet(", "MapPost(", "get '/", "post '/", "<Route"};
	AUTO_FREE char *text = xstrndup(line, len);

	if (strstr(text, "\"/") == NULL && strstr(text, "'/") == NULL &&
	    strstr(text, "`/") == NULL && strstr(text, "path(") == NULL &&
	    strstr(text, "Mapping(") == NULL)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (strstr(text, signs[i]) != NULL)
			return 1 + 4 * help_words_line(w, line, len);
	return 0;
}

static void
endpoints_gather(struct gathering *g)
{
	size_t n = lines_show(g, "Routes", path_is_code, line_routes, LINES_SHOWN);

	buf_addf(g->about, "%zu routes", n);
	if (n > 0)
		buf_adds(g->recommendation,
		    "Use the route above that fits; a new one belongs into "
		    "the file that has its neighbours, in the same form.");
	else
		buf_adds(g->recommendation,
		    "No route is declared in a form that is known. Search "
		    "for where the server starts, and follow from there.");
}

static void
other_gather(struct gathering *g)
{
	size_t paths, lines;

	own_words_show(g);
	(void)paths_show(g, PATHS_SHOWN / 2, &paths);
	lines =
	    lines_show(g, "Lines that have its words", NULL, help_words_line, LINES_SHOWN / 2);
	buf_addf(g->about, "the task's own words, %zu file names, %zu lines", paths, lines);
	buf_adds(g->recommendation,
	    "Decide yourself: take the simplest way that fits the task and the code around it, "
	    "and name the decision in your summary. If it depends on something outside of the "
	    "project, signal blocked.");
}

static void (*const gather[])(struct gathering *g) = {
#define X(id, name, gather, help) [QUESTION_##id] = gather##_gather,
    QUESTION_KINDS(X)
#undef X
};

void
help_context(const struct help_question *q, struct buf *context, struct buf *about,
    struct buf *recommendation)
{
	struct gathering g = {
	    .q = q,
	    .context = context,
	    .about = about,
	    .recommendation = recommendation,
	};

	help_words_take(&g.words, help_kinds_text_of(q->question));
	if (g.words.n == 0)
		help_words_take(&g.words, help_kinds_text_of(q->description));
	help_files_open(&g.files, q->root);
	gather[q->kind < QUESTION_KIND_COUNT ? q->kind : QUESTION_OTHER](&g);
	if (g.files.why != NULL)
		buf_addf(context, "(%s)\n", g.files.why);
	help_files_close(&g.files);
	help_words_release(&g.words);
}

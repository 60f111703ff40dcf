#include "work/todo/help/help_inside.h"

#include "base/alloc.h"
#include "base/clock.h"

/* A longer line is generated or minified, and not for people. */
#define LINE_BYTES 1000
#define LINE_SHOWN 200

struct ranked {
	int score;
	const char *path;
};

static int
ranked_compare(const void *a, const void *b)
{
	const struct ranked *x = a;
	const struct ranked *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->path, y->path);
}

static struct ranked *
paths_rank(const struct help_files *t, const struct help_words *w)
{
	struct ranked *list = xcalloc(t->n + 1, sizeof(*list));

	for (size_t i = 0; i < t->n; i++)
		list[i] = (struct ranked){help_words_path(w, t->paths[i]), t->paths[i]};
	qsort(list, t->n, sizeof(*list), ranked_compare);
	return list;
}

const char **
help_find_paths(const struct help_files *t, const struct help_words *w, size_t max)
{
	AUTO_FREE struct ranked *list = paths_rank(t, w);
	const char **out = xcalloc(max + 1, sizeof(*out));
	size_t n = 0;

	/* Leaves out links, which lead elsewhere, and deleted files. */
	for (size_t i = 0; i < t->n && n < max && list[i].score > 0; i++)
		if (help_files_has(t, list[i].path))
			out[n++] = list[i].path;
	return out;
}

void
help_hits_release(struct help_hits *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->list[i].text);
	free(h->list);
	*h = (struct help_hits){.max = h->max};
}

/* Keeps the best, the earlier of equals first. */
static void
hit_add(struct help_hits *h, const struct help_hit *hit, const char *line, size_t len)
{
	size_t at;

	if (h->list == NULL)
		h->list = xcalloc(h->max, sizeof(*h->list));
	for (at = h->n; at > 0 && h->list[at - 1].score < hit->score;)
		at--;
	if (at == h->max)
		return;
	if (h->n == h->max)
		free(h->list[--h->n].text);
	memmove(&h->list[at + 1], &h->list[at], (h->n - at) * sizeof(*h->list));
	h->list[at] = *hit;
	h->list[at].text = xstrndup(line, len < LINE_SHOWN ? len : LINE_SHOWN);
	h->n++;
}

static void
text_search(const struct buf *text, const char *path, const struct help_words *w,
    help_line_fn *score, struct help_hits *hits)
{
	const char *at = text->data;
	struct span line;

	for (size_t number = 1; front_line(&at, text->data + text->len, &line); number++) {
		int points;

		line = span_trim(line);
		points =
		    line.len > 0 && line.len <= LINE_BYTES ? score(w, line.p, line.len) : 0;
		if (points > 0 && !help_line_is_secret(line.p, line.len))
			hit_add(hits,
			    &(struct help_hit){.score = points, .path = path, .number = number},
			    line.p, line.len);
	}
}

void
help_find_lines(struct help_files *t, const struct help_words *w,
    bool (*wanted)(const char *path), help_line_fn *score, struct help_hits *hits)
{
	AUTO_FREE struct ranked *list = paths_rank(t, w);
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < t->n && t->left > 0 && clock_boot() < t->deadline; i++)
		if ((wanted == NULL || wanted(list[i].path)) &&
		    help_files_read(t, list[i].path, &text))
			text_search(&text, list[i].path, w, score, hits);
}

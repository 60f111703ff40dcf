/*
 * bench_graph - claiming a task of a large graph: bench_graph DIR COUNT
 *
 * Makes a graph of COUNT tasks in DIR, a chain whose first half is complete, with claims of all
 * that is.  Prints "value floor": taking the next task, which is written to the disk in three
 * files, against reading the graph's bytes and having libyaml parse them; in ms, the medians of
 * turns.
 */
#include "samples.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "work/graph/graph_place.h"
#include <fcntl.h>
#include <yaml.h>

enum { TURNS = 15 };

static void
make_text(struct buf *out, long count)
{
	buf_adds(out, "version: \"1.0\"\nlast_updated: 2026-01-27\nmilestones: []\nnodes:\n");
	for (long i = 0; i < count; i++)
		buf_addf(out,
		    "  - id: T-%05ld\n    title: Task number %ld of the graph\n    story: "
		    "S-%03ld\n"
		    "    milestone: M1\n    description: What is to be done, in a few words.\n"
		    "    priority: %ld\n    complexity: M\n    status: %s\n    assignee: null\n"
		    "    output: src/part-%ld.c\n",
		    i, i, i / 20, i % 5, i < count / 2 ? "complete" : "pending", i);
	buf_adds(out, "edges:\n");
	for (long i = 1; i < count; i++)
		buf_addf(out, "  - from: T-%05ld\n    to: T-%05ld\n", i - 1, i);
	buf_addf(out, "meta:\n  total_tasks: %ld\n  by_status:\n    complete: %ld\n", count,
	    count / 2);
}

static int64_t
read_with_libyaml(int dir)
{
	AUTO_BUF text = BUF_INIT;
	int64_t start = now_ns();
	yaml_parser_t parser;
	yaml_event_t event;
	bool end = false;

	if (fs_read(dir, GRAPH_FILE, YTREE_MAX, &text, NULL) < 0 ||
	    !yaml_parser_initialize(&parser))
		exit(1);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text.data, text.len);
	while (!end && yaml_parser_parse(&parser, &event)) {
		end = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return now_ns() - start;
}

static int64_t
claim(struct graph_place *p)
{
	const struct graph_request request = {.owner = getpid()};
	struct graph_offer offer;
	struct err err = ERR_INIT;
	int64_t start = now_ns(), end;

	graph_offer_init(&offer);
	if (graph_claim(p, &request, &offer, &err) != CLAIM_CLAIMED) {
		fprintf(stderr, "bench_graph: %s\n", err.text);
		exit(1);
	}
	end = now_ns();
	if (graph_release_task(p, offer.id, &err) != CLAIM_CLAIMED)
		exit(1);
	graph_offer_release(&offer);
	return end - start;
}

/* One claim a task that is complete, as a graph has that was worked through so far. */
/* The claims of a directory that is in no repository. */
static int
make_claims(const char *root, long count)
{
	AUTO_FREE char *path = xasprintf("%s/.ralph/" CLAIMS_GRAPH, root);
	AUTO_BUF text = BUF_INIT;
	AUTO_CLOSE int dir = -1;
	struct err err = ERR_INIT;

	for (long i = 0; i < count / 2; i++)
		buf_addf(&text,
		    "{\"task\":\"T-%05ld\",\"state\":\"complete\",\"pid\":0,\"start_time\":0,"
		    "\"boot_id\":\"\",\"host\":\"h\",\"worktree\":\"/"
		    "w\",\"since\":\"2026-01-27T10:"
		    "00:00.000Z\",\"note\":\"\"}\n",
		    i);
	if (fs_mkdirs(path, &err) < 0)
		return -1;
	dir = fs_open_dir(AT_FDCWD, path, &err);
	return dir < 0 ? -1
		       : fs_replace(dir, "claims.jsonl", text.data, text.len, FS_NOSYNC, &err);
}

int
main(int argc, char **argv)
{
	AUTO_CLOSE int dir = argc == 3 ? open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	long count = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
	int64_t claims[TURNS], reads[TURNS];
	AUTO_BUF text = BUF_INIT;
	struct graph_place p;
	struct err err = ERR_INIT;

	if (dir < 0 || count < 1 || count > 99999) {
		fprintf(stderr, "usage: bench_graph DIR COUNT\n");
		return 2;
	}
	make_text(&text, count);
	if (fs_replace(dir, GRAPH_FILE, text.data, text.len, FS_NOSYNC, &err) < 0 ||
	    graph_place_open(&p, argv[1], &err) < 0 || make_claims(argv[1], count) < 0) {
		fprintf(stderr, "bench_graph: %s\n", err.text);
		return 1;
	}
	for (int i = 0; i < TURNS; i++) {
		reads[i] = read_with_libyaml(dir);
		claims[i] = claim(&p);
	}
	graph_place_close(&p);
	printf("%.3f ", sample_quantile(claims, TURNS, 0.5));
	printf("%.3f\n", sample_quantile(reads, TURNS, 0.5));
	return 0;
}

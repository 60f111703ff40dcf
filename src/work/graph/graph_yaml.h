/*
 * graph_yaml.h - a YAML text as a tree whose parts know where they stand, byte for byte.
 *
 * This module reads the tree that graph_edit.h changes.  libyaml reads, and we add limits: one
 * document, UTF-8, keys that are scalars and occur once, no aliases, at most 64 levels.
 * libyaml counts characters; here everything is bytes.  Scalars stay strings: "no" is no
 * boolean.  Sentences begin with "NAME:LINE: ".
 */
#ifndef WORK_GRAPH_GRAPH_YAML_H
#define WORK_GRAPH_GRAPH_YAML_H

#include "base/buf.h"
#include "base/err.h"

#define YTREE_MAX ((size_t)16 << 20)

enum ynode_kind { YNODE_SCALAR, YNODE_MAP, YNODE_LIST };
/* Scalars have all styles but the last; maps and lists are YSTYLE_FLOW ("{}", "[]") or
 * YSTYLE_PLAIN. */
enum ynode_style { YSTYLE_PLAIN, YSTYLE_SINGLE, YSTYLE_DOUBLE, YSTYLE_BLOCK, YSTYLE_FLOW };

struct ynode {
	enum ynode_kind kind;
	enum ynode_style style;
	unsigned line;	     /* from 1 */
	unsigned column;     /* from 0, in characters */
	size_t start, end;   /* of a block map or list, the end is that of its last member */
	const char *text;    /* of a scalar; "" otherwise */
	struct ynode *child; /* the first member; of a map, keys and values take turns */
	struct ynode *last;
	struct ynode *next;
};

struct ytree {
	struct ynode *root; /* NULL: nothing but comments */
	const char *data;   /* the caller's, as long as the tree is used */
	size_t from, to;
	struct ychunk *chunks;
};

/* The bytes from `from` to `to` of data are the text; lines count from data.  On failure the
 * tree is empty. */
int ytree_parse(struct ytree *t, const char *name, const char *data, size_t from, size_t to,
    struct err *err) NODISCARD;
void ytree_release(struct ytree *t);

/* The value of a key; NULL when there is none, or `map` is NULL or no map. */
struct ynode *ynode_get(const struct ynode *map, const char *key);
/* The first item of a list; NULL when the list is empty, NULL or no list. */
struct ynode *ynode_items(const struct ynode *list);
/* The text of a scalar.  NULL: the node is missing, empty, "null", "~", a map or a list. */
const char *ynode_text(const struct ynode *n);

#endif

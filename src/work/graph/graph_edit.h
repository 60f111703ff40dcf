/*
 * graph_edit.h - changes to a YAML text that touch nothing but what they are about.
 *
 * Each change is a range of bytes and what stands there afterwards; comments, order, quotes and
 * line ends of everything else stay.  Changes are collected, then applied together.  What
 * cannot be said in the place's own style (a field in the first line of a list's item cannot
 * go) is said otherwise (it becomes null).  What is written as JSON stays JSON.
 *
 * yedits_apply reads what it has made, and fails when that is no YAML any more: nobody writes a
 * file that the next one cannot read.
 */
#ifndef WORK_GRAPH_GRAPH_EDIT_H
#define WORK_GRAPH_GRAPH_EDIT_H

#include "work/graph/graph_yaml.h"

struct yedits {
	const struct ytree *tree;
	struct yedit *list;
	size_t n, cap;
	const char *eol; /* as the text's first line ends */
};

/* How a value is written: as a string, quoted where another reader would take it for something
 * else; or as it is (numbers, true, null, lists in brackets). */
enum yvalue { YVALUE_TEXT, YVALUE_RAW };

/* A field of a map that is to be made. */
struct yfield {
	const char *key, *value; /* NULL: left out */
	enum yvalue as;
};

void yedits_init(struct yedits *e, const struct ytree *tree);
void yedits_release(struct yedits *e);
bool yedits_none(const struct yedits *e);

/* Sets a field, replacing or making it (behind the field `after`, or at the end); the same
 * value is no change.  NULL as value: takes the field away. */
void yedits_set(struct yedits *e, const struct ynode *map, const char *key, const char *value,
    enum yvalue as, const char *after);
/* Appends a map with these fields to the list that is the value of `key` in the map `root`;
 * where there is no such list, it is made.  The key is not copied. */
void yedits_append(struct yedits *e, const struct ynode *root, const char *key,
    const struct yfield *fields, size_t n);
/* Takes whole lines out, whatever they say. */
void yedits_cut(struct yedits *e, size_t start, size_t end);
/* Does a change touch these bytes, or where they end? */
bool yedits_touch(const struct yedits *e, size_t start, size_t end);
/* Changes to the same tree: what `from` has, too. */
void yedits_copy(struct yedits *e, const struct yedits *from);
/* Takes an item out of a list. */
void yedits_remove(struct yedits *e, const struct ynode *list, const struct ynode *item);

/* Appends the changed text to out: all of `data` of the tree, `len` bytes; without reading it,
 * for who reads it as more than YAML. */
int yedits_make(
    struct yedits *e, const char *name, size_t len, struct buf *out, struct err *err) NODISCARD;
/* The same, and reads it. */
int yedits_apply(
    struct yedits *e, const char *name, size_t len, struct buf *out, struct err *err) NODISCARD;

/* Appends a string as a scalar; in double quotes when it cannot be said otherwise. */
void yscalar_add(struct buf *out, const char *text, enum ynode_style style);

#endif

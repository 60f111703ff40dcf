/*
 * graph_edit.h - changes to a YAML text that touch nothing but what they are about.
 *
 * Each change replaces a range of bytes; comments, order, quotes and line ends of everything
 * else stay.  Changes are collected, then applied together.  A change that the style of its
 * place does not allow is written otherwise: a field in the first line of a list's item cannot
 * be removed, so it becomes null.  JSON stays JSON.
 *
 * yedits_apply parses its result, and fails when the result is no YAML any more: nobody writes
 * a file that the next reader cannot read.
 */
#ifndef WORK_GRAPH_GRAPH_EDIT_H
#define WORK_GRAPH_GRAPH_EDIT_H

#include "work/graph/graph_yaml.h"

struct yedits {
	const struct ytree *tree;
	struct yedit *list;
	size_t n, cap;
	const char *eol; /* the line end of the text's first line */
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
/* The beginning of the line of a list's item, dash included; SIZE_MAX when the item has no line
 * of its own. */
size_t yitem_line(const struct ytree *t, const struct ynode *item);
/* Removes whole lines, regardless of their content. */
void yedits_cut(struct yedits *e, size_t start, size_t end);
/* Does a change touch these bytes, or the place behind them? */
bool yedits_touch(const struct yedits *e, size_t start, size_t end);
/* Adds all changes of `from`, which are changes to the same tree. */
void yedits_copy(struct yedits *e, const struct yedits *from);
/* Takes an item out of a list. */
void yedits_remove(struct yedits *e, const struct ynode *list, const struct ynode *item);

/* Appends the changed text to out: all of `data` of the tree, `len` bytes.  The result is not
 * parsed: for callers that parse more than YAML in the text. */
int yedits_make(
    struct yedits *e, const char *name, size_t len, struct buf *out, struct err *err) NODISCARD;
/* As yedits_make; fails when the changed text cannot be read as YAML. */
int yedits_apply(
    struct yedits *e, const char *name, size_t len, struct buf *out, struct err *err) NODISCARD;

/* Appends a string as a scalar; in double quotes when no other style can express the string. */
void yscalar_add(struct buf *out, const char *text, enum ynode_style style);

#endif

/*
 * points.h - which points of a life are visited, and in what order.
 *
 * The order is made once, from the log of a life without a fault; a point that did not come
 * is put at its end again.
 */
#ifndef FAULT_POINTS_H
#define FAULT_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#define COUNTING 999999U /* a point that no life reaches: there they are only counted */

struct points {
	unsigned total; /* how many there are */
	unsigned last;	/* the highest */
	unsigned *list; /* the order, and what is tried again; never freed */
	size_t len, next;
};

/* From such a log ("N what path" a line).  False when there is none. */
bool points_read(struct points *p, const char *path);
void points_one(struct points *p, unsigned point);
/* The same seed and the same words make the same order. */
void points_shuffle(struct points *p, unsigned seed, const char *words);
/* 0: there is none any more. */
unsigned points_next(struct points *p);
void points_again(struct points *p, unsigned point);
/* How often it was in the list. */
unsigned points_tries(const struct points *p, unsigned point);

#endif

/*
 * memory.h - gives memory back that was needed once.
 *
 * A supervisor or a keeper parses options, settings and the past when it begins, and then waits
 * for days.  What it needed is freed by then, but the heap keeps it, and the stack has pages
 * that no function uses any more.  (xpages, base/alloc.h, is for what stays, but is mostly
 * empty.)
 */
#ifndef BASE_PROCESS_MEMORY_H
#define BASE_PROCESS_MEMORY_H

/* Returns unused pages of the heap, and those of the stack below the caller, to the kernel.
 * Only for the thread that has the process's stack.  Does nothing under a sanitizer, which has
 * a stack of its own. */
void memory_settle(void);

#endif

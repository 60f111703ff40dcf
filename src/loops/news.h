/*
 * news.h - descriptors that only say that there may be news: the events of a loop, a keeper's
 * connection, changes of files.  They do not block.
 */
#ifndef LOOPS_NEWS_H
#define LOOPS_NEWS_H

/* Reads away what came.  A descriptor whose other side hung up is closed, and *fd is -1. */
void news_drain(int *fd);

#endif

/*
 * news.h - descriptors that only say that there may be news: the events of a loop, a keeper's
 * connection, changes of files.  They do not block.
 */
#ifndef CMD_NEWS_H
#define CMD_NEWS_H

/* Reads away what came.  A descriptor whose other side hung up is closed, and *fd is -1. */
void news_drain(int *fd);
/* For a command that Ctrl-C is the way to leave: that is no failure then. */
void news_leave_by_interrupt(void);

#endif

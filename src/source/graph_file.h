/*
 * graph_file.h - writing a file of the user's: the graph, a ticket, a line of a log.
 */
#ifndef SOURCE_GRAPH_FILE_H
#define SOURCE_GRAPH_FILE_H

#include "source/graph_edit.h"

/* Replaces rootfd/path: whole or not at all, with the mode it has; a link leads to the file
 * that is changed. */
int graph_file_replace(
    int rootfd, const char *path, const struct buf *text, struct err *err) NODISCARD;
/* By its text with the changes made; `len` is that of all of the text. */
int graph_file_write(
    int rootfd, const char *path, struct yedits *e, size_t len, struct err *err) NODISCARD;
/* The directory of logs, made where it is missing; then it has a .gitignore that covers it. */
int graph_logs_open(int rootfd, struct err *err) NODISCARD;

#endif

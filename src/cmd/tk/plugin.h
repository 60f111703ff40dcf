/*
 * plugin.h - tk's plugins: programs on PATH that are commands of `ralph tk`.
 *
 * `tk NAME` is tk-NAME, else ticket-NAME, where one of them is on PATH, also in place of a
 * command that is built in; `tk super NAME` is always the one that is built in.  A plugin gets
 * TICKETS_DIR, where there are tickets, and TK_SCRIPT, a program that takes tk's words.
 */
#ifndef CMD_TK_PLUGIN_H
#define CMD_TK_PLUGIN_H

#include "base/buf.h"

/* Becomes the plugin for words[0] with the words behind it as arguments.  Returns when there is
 * none (0), or when it cannot be started, which is said (-1).  `script` is argv[0] of a program
 * that was called as tk or ticket; NULL: it was called otherwise. */
int tk_plugin_become(char *const *words, const char *script);
/* The plugins on PATH, a line each, with what they say of themselves; nothing without any. */
void tk_plugins_list(struct buf *out);

#endif

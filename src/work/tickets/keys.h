/*
 * keys.h - the keys of .tf/ralph/config.json, one row each (keys.c).
 *
 * A row gives the member of struct loop_config, the key, its default and its meaning; where it
 * has them, its environment variable, the words it may be and the least number.  Reading,
 * checking, environment and help are made from the rows, and values go straight into the
 * struct; what follows from several keys together is in config.c.
 */
#ifndef WORK_TICKETS_KEYS_H
#define WORK_TICKETS_KEYS_H

#include "work/tickets/config.h"

#define CONFIG_FILE ".tf/ralph/config.json"
/* This process answers these two itself; only other texts are run. */
#define DEFAULT_TICKET_QUERY "tk ready | head -1 | awk '{print $1}'"
#define DEFAULT_COMPLETION_CHECK "tk ready | grep -q ."

/* The origin of a value; a later origin wins. */
enum key_origin { FROM_NOWHERE, FROM_DEFAULT, FROM_FILE, FROM_ENVIRONMENT };

/* Frees the values of all keys. */
void keys_release(struct loop_config *c);
/* Sets the defaults in a struct of zero bytes.  keys_read and keys_environment come next, in
 * this order. */
void keys_defaults(struct loop_config *c);
/* Takes the content of the file.  Errors name the file and the key. */
int keys_read(const char *text, size_t len, struct loop_config *c, struct err *err) NODISCARD;
/* Takes the environment.  Errors name the variable and the key. */
int keys_environment(struct loop_config *c, struct err *err) NODISCARD;

enum key_origin key_origin(const struct loop_config *c, const char *name);
/* Is the text NULL, or nothing but white space? */
bool key_is_blank(const char *text);
/* Did the project or its user say something about the key? */
bool key_given(const struct loop_config *c, const char *name);
/* A list of all keys: name, default, meaning. */
void keys_describe(struct buf *out);

#endif

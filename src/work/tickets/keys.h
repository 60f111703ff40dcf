/*
 * keys.h - the keys of .tf/ralph/config.json: those of settings (loop/settings.h), and wishes
 * that only decide some settings (keys.c), one row each.
 *
 * Reading, checking, environment and help are made from the rows, and values go straight into
 * struct loop_config; what follows from several keys together is in config.c.
 */
#ifndef WORK_TICKETS_KEYS_H
#define WORK_TICKETS_KEYS_H

#include "work/tickets/config.h"

#define CONFIG_FILE ".tf/ralph/config.json"

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
/* A list of all keys by name: meaning, words, default, variable. */
void keys_describe(struct buf *out);

#endif

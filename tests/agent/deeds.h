/*
 * deeds.h - what the scripted agent can do; agent.c tells what each command means.
 *
 * A deed gets the rest of its line, from the first byte that is not blank.  What goes wrong is
 * the test's mistake: it is said on stderr and the agent exits with AGENT_BROKEN.
 */
#ifndef AGENT_DEEDS_H
#define AGENT_DEEDS_H

#define AGENT_BROKEN 99

struct deed {
	const char *name;
	void (*fn)(char *arg);
};

extern const struct deed deeds[]; /* ends with a NULL name */
extern char *const *deeds_args;	  /* the words after the script, for "args" */

__attribute__((noreturn, format(printf, 1, 2))) void broken(const char *fmt, ...);
/* Takes the first word off; *rest is what follows it, without leading blanks. */
char *word_take(char **rest);
long long number(const char *text);
/* led.c */
void do_led(char *arg);

#endif

/*
 * question.c - is this the same question as before?
 *
 * An agent that asks again words the question a little differently: other case, other quotes,
 * another line number, a longer path to the same file.  None of these makes another question.
 */
#include "loop/deciding.h"

#include <string.h>

static bool
loop_question_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool
loop_question_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
loop_question_is_path(char c)
{
	return loop_question_is_word(c) || loop_question_is_digit(c) || c == '_' || c == '-' ||
	       c == '.' || c == '/' || c == '~';
}

/* The last part of a word that looks like a path; any other word as it is. */
static size_t
base_of(const char *at, size_t len)
{
	size_t from = 0;

	for (size_t i = 0; i + 1 < len; i++)
		if (at[i] == '/')
			from = i + 1;
	return from;
}

/* Words in lower case, one blank between them; every number is the same number. */
static uint64_t
hash_word(uint64_t h, const char *at, size_t len)
{
	bool any = false;

	for (size_t i = base_of(at, len); i < len; i++) {
		char c = at[i];

		if (loop_question_is_digit(c) && i > 0 && loop_question_is_digit(at[i - 1]))
			continue;
		if (!loop_question_is_word(c) && !loop_question_is_digit(c))
			continue;
		any = true;
		if (loop_question_is_digit(c))
			c = '0';
		else if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		h = past_hash_add(h, c);
	}
	return any ? past_hash_add(h, ' ') : h;
}

uint64_t
loop_question(const char *task, const char *question)
{
	uint64_t h = PAST_HASH_BEGIN;

	for (; *task != '\0'; task++)
		h = past_hash_add(h, *task);
	h = past_hash_add(h, '\n');
	while (*question != '\0') {
		size_t len = 0;

		while (loop_question_is_path(question[len]))
			len++;
		if (len > 0)
			h = hash_word(h, question, len);
		question += len > 0 ? len : 1;
	}
	return h;
}

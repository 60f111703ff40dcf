#include "work/todo/question.h"

#include "base/buf.h"
#include "loop/vocabulary.h"

#define LOOK_MAX 4096 /* bytes; what comes later says nothing new */

/* In the order in which kinds win.  A phrase begins where a word begins; it ends where a word
 * ends, unless it ends in *. */
static const struct {
	enum question_kind kind;
	const char *phrases; /* separated by | */
} kinds[] = {
    {QUESTION_ERRORS,
	"error*|exception*|traceback|fail*|crash*|segfault|panic*|stack trace|"
	"does not compile|doesn't compile|won't compile|does not work|doesn't work|"
	"not working|exit code|broken"},
    {QUESTION_DEPENDENCIES,
	"dependenc*|not installed|install*|missing package*|missing module*|missing library|"
	"package manager|no module named|cannot find module|module not found|package*|library|"
	"libraries|version of|npm|pip|cargo|apt|requirements.txt"},
    {QUESTION_ENDPOINTS,
	"endpoint*|route|routes|router|routing|url|urls|api|apis|graphql|http|webhook*|port"},
    {QUESTION_PATTERNS,
	"pattern*|convention*|schema*|style|naming|format|example*|how do we|"
	"how does this project|existing code|best practice*|architecture|template*|structure"},
    {QUESTION_FILES,
	"file|files|directory|directories|folder*|path|paths|where is|where are|where do|"
	"where does|which module|located|location|cannot find|can't find"},
    {QUESTION_SCOPE,
	"scope|should i|do you want|in scope|out of scope|requirement*|acceptance|unclear|"
	"ambiguous|clarif*|what exactly|what should|is it ok|am i supposed|task"},
};

VOCABULARY_NAMES(question_kind, enum question_kind, QUESTION_KINDS)

/* Is it a character of a word?  ASCII is read alike in every locale; bytes beyond it are
 * letters. */
static bool
todo_question_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       ((unsigned char)c & 0x80) != 0;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Is the phrase among the words?  Both in lower case; one blank between words. */
static bool
has_phrase(const char *words, const char *phrase, size_t len)
{
	bool prefix = phrase[len - 1] == '*';

	len -= prefix;
	for (const char *p = words; *p != '\0'; p++) {
		if (p > words && p[-1] != ' ')
			continue;
		if (strncmp(p, phrase, len) == 0 && (prefix || p[len] == ' ' || p[len] == '\0'))
			return true;
	}
	return false;
}

static bool
has_any(const char *words, const char *phrases)
{
	while (*phrases != '\0') {
		size_t len = strcspn(phrases, "|");

		if (has_phrase(words, phrases, len))
			return true;
		phrases += len + (phrases[len] == '|');
	}
	return false;
}

enum question_kind
question_kind(const char *text, size_t len)
{
	AUTO_BUF words = BUF_INIT;

	len = len < LOOK_MAX ? len : LOOK_MAX;
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (todo_question_is_word(c) || c == '\'' ||
		    (c == '.' && i + 1 < len && todo_question_is_word(text[i + 1])))
			buf_addc(&words, lower(c));
		else if (words.len > 0 && words.data[words.len - 1] != ' ')
			buf_addc(&words, ' ');
	}
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (has_any(words.data, kinds[i].phrases))
			return kinds[i].kind;
	return QUESTION_OTHER;
}

#include "source/question.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define NORMAL_MAX 4096 /* of what was said; the rest does not tell questions apart */

static const char *const kind_names[] = {
#define X(id, name, help) [QUESTION_##id] = name,
    QUESTION_KINDS(X)
#undef X
};

/* In the order in which they win; a phrase begins and, unless it ends in *, ends with a word.
 */
static const struct {
	enum question_kind kind;
	const char *phrases; /* separated by | */
} kinds[] = {
    {QUESTION_ERRORS,
	"error*|exception*|traceback|fail*|crash*|segfault|panic*|stack trace|does not compile|"
	"doesn't compile|won't compile|does not work|doesn't work|not working|exit "
	"code|broken"},
    {QUESTION_DEPENDENCIES, "dependenc*|not installed|install*|missing package*|missing "
			    "module*|missing library|package "
			    "manager|no module named|cannot find module|module not "
			    "found|package*|library|libraries|"
			    "version of|npm|pip|cargo|apt|requirements.txt"},
    {QUESTION_ENDPOINTS,
	"endpoint*|route|routes|router|routing|url|urls|api|apis|graphql|http|webhook*|port"},
    {QUESTION_PATTERNS,
	"pattern*|convention*|schema*|style|naming|format|example*|how do we|how does this "
	"project|existing code|best practice*|architecture|template*|structure"},
    {QUESTION_FILES,
	"file|files|directory|directories|folder*|path|paths|where is|where are|where do|where "
	"does|which module|located|location|cannot find|can't find"},
    {QUESTION_SCOPE,
	"scope|should i|do you want|in scope|out of scope|requirement*|acceptance|unclear|"
	"ambiguous|clarif*|what exactly|what should|is it ok|am i supposed|task"},
};

const char *
question_kind_name(enum question_kind k)
{
	return kind_names[k];
}

/* ---- words --------------------------------------------------------------------------- */

/* Not those of ctype.h: what is the same question must not depend on where we run. */
static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       ((unsigned char)c & 0x80) != 0;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool
is_word(char c)
{
	return is_letter(c) || is_digit(c);
}

static bool
is_of_path(char c)
{
	return is_word(c) || strchr("/._-~\\", c) != NULL;
}

/* The length of a path that begins here: two names and a slash between, or a file's name with
 * an ending; 0 for none. */
static size_t
path_len(const char *p, const char *end)
{
	size_t len = 0, letters = 0;
	bool slash = false, dot = false;

	while (p + len < end && p[len] != '\0' && is_of_path(p[len]))
		len++;
	while (len > 0 && strchr("._-", p[len - 1]) != NULL)
		len--;
	for (size_t i = 0; i < len; i++) {
		slash |= p[i] == '/' || p[i] == '\\';
		dot |= p[i] == '.' && i > 0 && i + 1 < len && is_letter(p[i + 1]);
		letters += is_letter(p[i]);
	}
	return letters > 0 && (slash || dot) ? len : 0;
}

/* One word of the normal form; where the next begins. */
static const char *
add_word(const char *p, const char *end, struct buf *out)
{
	size_t path = path_len(p, end);

	if (out->len > 0)
		buf_addc(out, ' ');
	if (path > 0) {
		buf_adds(out, "<path>");
		return p + path;
	}
	while (p < end && (is_word(*p) || (*p == '\'' && p + 1 < end && is_word(p[1])))) {
		if (is_digit(*p)) {
			buf_adds(out, "<n>");
			while (p < end && is_digit(*p))
				p++;
			continue;
		}
		if (*p != '\'')
			buf_addc(out, lower(*p));
		p++;
	}
	return p;
}

void
question_normal(const char *text, size_t len, struct buf *out)
{
	const char *p = text, *end = text + (len < NORMAL_MAX ? len : NORMAL_MAX);
	AUTO_BUF words = BUF_INIT;

	while (p < end) {
		bool rooted = *p != '\0' && strchr("/~.", *p) != NULL && path_len(p, end) > 0;

		if (is_word(*p) || rooted)
			p = add_word(p, end, &words);
		else
			p++;
	}
	buf_adds(out, words.len > 0 ? words.data : "unknown issue");
}

void
question_key(const char *text, size_t len, char out[QUESTION_KEY])
{
	AUTO_BUF normal = BUF_INIT;

	question_normal(text, len, &normal);
	snprintf(out, QUESTION_KEY, "%016llx",
	    (unsigned long long)XXH64(normal.data, normal.len, 0));
}

/* ---- kinds --------------------------------------------------------------------------- */

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

	len = len < NORMAL_MAX ? len : NORMAL_MAX;
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (is_word(c) || c == '\'' ||
		    (c == '.' && i + 1 < len && is_word(text[i + 1])))
			buf_addc(&words, lower(c));
		else if (words.len > 0 && words.data[words.len - 1] != ' ')
			buf_addc(&words, ' ');
	}
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (has_any(words.data, kinds[i].phrases))
			return kinds[i].kind;
	return QUESTION_OTHER;
}

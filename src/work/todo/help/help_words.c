#include "work/todo/help/help_inside.h"

#include "base/alloc.h"
#include <ctype.h>

#define WORDS_MAX 24
#define WORD_MIN 3
#define WORD_MAX 64
#define LINE_SEEN 1000

/* Words that any question may have, whatever it is about. */
static const char *const common[] = {"about", "all", "and", "any", "are", "been", "but",
    "called", "can", "cannot", "code", "could", "did", "does", "doing", "don", "each", "error",
    "exist", "exists", "file", "files", "find", "for", "from", "get", "had", "has", "have",
    "help", "here", "how", "into", "its", "know", "located", "looking", "missing", "must",
    "need", "needed", "needs", "not", "one", "only", "our", "please", "project", "repo",
    "repository", "same", "see", "should", "some", "task", "than", "that", "the", "their",
    "them", "then", "there", "these", "they", "this", "through", "use", "used", "using", "want",
    "was", "way", "were", "what", "when", "where", "which", "who", "why", "will", "with",
    "would", "you", "your"};

static int
help_words_compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool
is_common(const char *word)
{
	return bsearch(&word, common, ARRAY_LEN(common), sizeof(*common), help_words_compare) !=
	       NULL;
}

static void
word_add(struct help_words *w, const char *s, size_t len)
{
	char word[WORD_MAX + 1];

	while (len > 0 && strchr("./-", s[len - 1]) != NULL)
		len--;
	while (len > 0 && strchr("./-", *s) != NULL) {
		s++;
		len--;
	}
	if (len < WORD_MIN || len > WORD_MAX || w->n == WORDS_MAX)
		return;
	for (size_t i = 0; i < len; i++)
		word[i] = (char)tolower((unsigned char)s[i]);
	word[len] = '\0';
	if (is_common(word) || strlist_has(w->list, word))
		return;
	w->list = strlist_add(w->list, word);
	w->n++;
}

static bool
is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Takes the words of a text; "src/auth/login_page.ts" as it is, and by its parts. */
void
help_words_take(struct help_words *w, const char *text)
{
	while (*text != '\0') {
		size_t len = 0;
		bool compound = false;

		for (; is_part(text[len]) ||
		       (text[len] != '\0' && strchr("./-", text[len]) != NULL);
		     len++)
			compound |= !is_part(text[len]) || text[len] == '_';
		word_add(w, text, len);
		for (size_t at = 0; compound && at < len;) {
			size_t n = 0;

			while (at + n < len && is_part(text[at + n]) && text[at + n] != '_')
				n++;
			word_add(w, text + at, n);
			at += n + 1;
		}
		text += len + (text[len] != '\0');
	}
}

void
help_words_release(struct help_words *w)
{
	strlist_free(w->list);
	*w = (struct help_words){NULL, 0};
}

int
help_words_path(const struct help_words *w, const char *path)
{
	const char *name = basename(path);
	int score = 0;

	for (size_t i = 0; i < w->n; i++) {
		const char *word = w->list[i];
		size_t len = strlen(word);

		if (strcasecmp(path, word) == 0 || strcasecmp(name, word) == 0)
			score += 16;
		else if (strncasecmp(name, word, len) == 0 && strchr(".-_", name[len]) != NULL)
			score += 8;
		else if (strcasestr(name, word) != NULL)
			score += 4;
		else if (strcasestr(path, word) != NULL)
			score += 2;
	}
	return score;
}

/* Longer words count more. */
int
help_words_line(const struct help_words *w, const char *line, size_t len)
{
	char small[LINE_SEEN] = "";
	int score = 0;

	len = len < sizeof(small) ? len : sizeof(small);
	for (size_t i = 0; i < len; i++)
		small[i] = (char)tolower((unsigned char)line[i]);
	for (size_t i = 0; i < w->n; i++) {
		size_t n = strlen(w->list[i]);

		if (memmem(small, len, w->list[i], n) != NULL)
			score += n > 5 ? 3 : 2;
	}
	return score;
}

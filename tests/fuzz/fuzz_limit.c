/*
 * An agent's last words, whatever they are: the same words in any pieces are judged alike; a
 * moment that is named is one that can be written down, exactly that of whole seconds; plain
 * words of an agent that ended well, or that repeat the prompt, count for nothing; and the time
 * zone is ours again afterwards.
 *
 * The first byte says whose words they are, and seeds the pieces; an 'f' as the second one that
 * the agent failed.  What follows a form feed was said on stderr.
 */
#include "base/clock.h"
#include "session/profile.h"
#include "watch/limit.h"

/* 2026-03-04 12:00:00 UTC, a whole second: a product that did not fit would be none. */
#define NOON (INT64_C(1772625600) * NSEC_PER_SEC)
#define TEXT_MAX 403 /* bytes, the last character of which may be beyond 400 */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct limit_rules *rules[16];
static size_t nrules;

static void
rules_release(void)
{
	while (nrules > 0)
		limit_rules_free(rules[--nrules]);
}

/* The rules of every agent that we know. */
int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	(void)setenv("TZ", "UTC", 1);
	(void)unsetenv("RALPH_AGENTS");
	for (const struct profile_file *f = profile_files; f->name != NULL; f++) {
		char name[32];
		char *const command[] = {name, NULL};
		const json_t *says[PROFILE_SAYS];

		(void)snprintf(name, sizeof(name), "%s", f->name);
		ENSURE(nrules < ARRAY_LEN(rules) && profile_says(command, says, NULL) == 0);
		rules[nrules] = limit_rules_new(says, NULL);
		ENSURE(rules[nrules++]);
		profile_says_free(says);
	}
	atexit(rules_release);
	return 0;
}

static void
add(struct tail *t, const char *data, size_t len, unsigned seed)
{
	while (len > 0) {
		size_t n = len;

		if (seed != 0) {
			seed = seed * 1103515245u + 12345u;
			n = 1 + (seed >> 16) % 40;
			n = n < len ? n : len;
		}
		limit_tail_add(t, data, n);
		data += n;
		len -= n;
	}
}

static void
check(const struct limit_found *f)
{
	ENSURE(f->kind >= LIMIT_NONE && f->kind < LIMIT_OK);
	ENSURE(f->resets >= 0 && f->resets % NSEC_PER_SEC == 0);
	ENSURE(f->kind == LIMIT_RATE || f->resets == 0);
	ENSURE(f->text.len <= TEXT_MAX);
	ENSURE(strcmp(getenv("TZ"), "UTC") == 0);
}

static struct limit_found
judge(const struct limit_case *c)
{
	struct limit_found found = {.text = BUF_INIT};
	struct err err = ERR_INIT;

	if (limit_judge(c, &found, &err) < 0)
		BUG("%s", err.text);
	check(&found);
	return found;
}

static void
same(struct limit_found a, struct limit_found b)
{
	ENSURE(a.kind == b.kind && a.resets == b.resets);
	ENSURE(a.kind == LIMIT_NONE || strcmp(a.text.data, b.text.data) == 0);
	buf_release(&a.text);
	buf_release(&b.text);
}

static void
means_nothing(struct limit_found found)
{
	ENSURE(found.kind == LIMIT_NONE);
	buf_release(&found.text);
}

/* Nothing in it that is left out before it is compared with a prompt. */
static bool
is_text(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)s[i] < 0x20 && s[i] != '\n') || (s[i] & 0x80) ||
		    s[i] == 0x7f)
			return false;
	return true;
}

static bool
has_objects(const char *s)
{
	return strchr(s, '{') != NULL;
}

/* One sentence of the agent's own. */
static void
judge_sentence(const struct limit_case *c, const char *text)
{
	struct limit_found a = {.text = BUF_INIT}, b = {.text = BUF_INIT};

	ENSURE(limit_judge_text(c, text, &a, NULL) == 0);
	ENSURE(limit_judge_text(c, text, &b, NULL) == 0);
	check(&a);
	same(a, b);
}

static void
judge_all(struct limit_rules *r, bool failed, unsigned seed, const struct buf *out,
    const struct buf *err)
{
	struct tail whole = {.bytes = BUF_INIT}, cut = whole, errs = whole;
	AUTO_BUF both = BUF_INIT;
	struct limit_case c = {
	    .rules = r, .out = &whole, .err = &errs, .failed = failed, .now = NOON};
	struct limit_case pieces = c;

	add(&whole, out->data, out->len, 0);
	add(&cut, out->data, out->len, 1 + seed);
	add(&errs, err->data, err->len, 0);
	pieces.out = &cut;
	same(judge(&c), judge(&pieces));
	judge_sentence(&c, out->data);
	if (!has_objects(out->data) && !has_objects(err->data)) {
		c.failed = false;
		means_nothing(judge(&c));
		buf_addf(&both, "%s\n%s", out->data, err->data);
		c.failed = true;
		c.prompt = &both;
		if (is_text(out->data, out->len) && is_text(err->data, err->len))
			means_nothing(judge(&c));
	}
	limit_tail_release(&whole);
	limit_tail_release(&cut);
	limit_tail_release(&errs);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_BUF out = BUF_INIT;
	AUTO_BUF err = BUF_INIT;
	const uint8_t *feed;
	size_t len;

	if (size < 2)
		return 0;
	feed = memchr(data + 2, '\f', size - 2);
	len = feed != NULL ? (size_t)(feed - data) - 2 : size - 2;
	buf_add(&out, data + 2, len);
	if (feed != NULL)
		buf_add(&err, feed + 1, size - len - 3);
	/* Both are C strings here. */
	buf_truncate(&out, strlen(out.data));
	buf_truncate(&err, strlen(err.data));
	judge_all(rules[data[0] % nrules], data[1] == 'f', data[0], &out, &err);
	return 0;
}

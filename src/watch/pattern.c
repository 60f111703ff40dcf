#include "watch/pattern.h"

#include "base/alloc.h"
#include "base/text.h"
#include "watch/chars.h"
#include "watch/python.h"

#include <time.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#define DEADLINE_NS INT64_C(20000000)
#define CALLOUTS_PER_LOOK 512 /* how often the callout looks at the clock */
#define HEAP_LIMIT_KIB (32 * 1024)
#define JIT_STACK_MIN (32 * 1024)
#define JIT_STACK_MAX (1024 * 1024)

/* ALT_CIRCUMFLEX: Python's multiline ^ also matches behind the last newline. */
#define COMPILE_OPTIONS                                                      \
	(PCRE2_UTF | PCRE2_UCP | PCRE2_AUTO_CALLOUT | PCRE2_ALT_CIRCUMFLEX | \
	    PCRE2_NEVER_BACKSLASH_C)

struct pattern {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	struct needles needles;
	struct buf clean; /* the last subject that was not valid UTF-8, made so */
	unsigned callouts;
	int64_t deadline; /* 0 until the clock was looked at */
};

/* Reads the processor's clock: a search has the same chance on a busy machine as on any
 * other. */
static int64_t
cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/*
 * Bounds the time of a search, which PCRE2's match limit does not: it counts for each start
 * position anew.  The clock starts at the first look: most searches end before it.
 */
static int
on_callout(pcre2_callout_block *block UNUSED, void *data)
{
	struct pattern *p = data;
	int64_t now;

	if (++p->callouts % CALLOUTS_PER_LOOK)
		return 0;
	now = cpu_ns();
	if (p->deadline == 0)
		p->deadline = now + DEADLINE_NS;
	return now < p->deadline ? 0 : PCRE2_ERROR_CALLOUT;
}

static pcre2_code *
compile(const struct buf *translated, struct err *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	char message[256];
	pcre2_code *code;
	size_t offset;
	int rc;

	ENSURE(context != NULL);
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	code = pcre2_compile((PCRE2_SPTR)translated->data, translated->len, COMPILE_OPTIONS,
	    &rc, &offset, context);
	pcre2_compile_context_free(context);
	if (code == NULL) {
		/* Only errors about sizes remain; they have no place in the pattern to point
		 * at. */
		pcre2_get_error_message(rc, (PCRE2_UCHAR *)message, sizeof(message));
		err_set(err, "%s", message);
	}
	return code;
}

struct pattern *
pattern_new(const char *python, struct err *err)
{
	AUTO_BUF translated = BUF_INIT;
	struct needles needles;
	struct pattern *p;
	pcre2_code *code;

	needles_init(&needles);
	if (python_read(python, &translated, &needles, err) < 0)
		return NULL;
	code = compile(&translated, err);
	if (code == NULL)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	buf_init(&p->clean);
	p->needles = needles;
	p->code = code;
	p->match = pcre2_match_data_create_from_pattern(code, NULL);
	p->context = pcre2_match_context_create(NULL);
	ENSURE(p->match != NULL && p->context != NULL);
	pcre2_set_callout(p->context, on_callout, p);
	pcre2_set_heap_limit(p->context, HEAP_LIMIT_KIB);
	/* Where the kernel forbids executable memory, the interpreter does as well as the
	 * JIT. */
	if (pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0) {
		p->stack = pcre2_jit_stack_create(JIT_STACK_MIN, JIT_STACK_MAX, NULL);
		pcre2_jit_stack_assign(p->context, NULL, p->stack);
	}
	return p;
}

void
pattern_free(struct pattern *p)
{
	if (p == NULL)
		return;
	pcre2_jit_stack_free(p->stack);
	pcre2_match_context_free(p->context);
	pcre2_match_data_free(p->match);
	pcre2_code_free(p->code);
	buf_release(&p->clean);
	free(p);
}

/* Where to cut a subject that is too long: not inside of a character. */
static size_t
pattern_cut(const char *s, size_t len)
{
	size_t cut = PATTERN_SUBJECT_MAX;

	if (len <= cut)
		return len;
	while (cut > PATTERN_SUBJECT_MAX - 4 && ((unsigned char)s[cut] & 0xc0) == 0x80)
		cut--;
	return cut;
}

static int
pattern_run(struct pattern *p, const char *s, size_t len, uint32_t options)
{
	p->callouts = 0;
	p->deadline = 0;
	return pcre2_match(p->code, (PCRE2_SPTR)s, len, 0, options, p->match, p->context);
}

static void
sanitise(struct buf *clean, const char *s, size_t len)
{
	uint32_t cp;
	size_t n;

	buf_clear(clean);
	for (size_t i = 0; i < len; i += n ? n : 1) {
		n = utf8_decode(s + i, len - i, &cp);
		buf_addrune(clean, n ? cp : 0xfffd);
	}
}

/* The offset in the subject that belongs to the offset `clean` in its valid form. */
static size_t
unclean_offset(const char *s, size_t len, size_t clean)
{
	static const size_t replacement = 3; /* bytes of U+FFFD */
	size_t i = 0, at = 0;
	uint32_t cp;

	while (at < clean && i < len) {
		size_t n = utf8_decode(s + i, len - i, &cp);

		at += n ? n : replacement;
		i += n ? n : 1;
	}
	return i;
}

enum pattern_result
pattern_search(struct pattern *p, const char *subject, size_t len, size_t *start, size_t *end)
{
	const PCRE2_SIZE *span;
	bool dirty;
	int rc;

	len = pattern_cut(subject, len);
	if (!needles_in(&p->needles, subject, len))
		return PATTERN_NO_MATCH;
	rc = pattern_run(
	    p, subject, len, chars_are_ascii(subject, len) ? PCRE2_NO_UTF_CHECK : 0);
	dirty = rc <= PCRE2_ERROR_UTF8_ERR1 && rc >= PCRE2_ERROR_UTF8_ERR21;
	if (dirty) {
		sanitise(&p->clean, subject, len);
		rc = pattern_run(p, p->clean.data, p->clean.len, 0);
	}
	if (rc == PCRE2_ERROR_NOMATCH)
		return PATTERN_NO_MATCH;
	if (rc < 0)
		return PATTERN_EXPENSIVE;
	span = pcre2_get_ovector_pointer(p->match);
	*start = dirty ? unclean_offset(subject, len, span[0]) : span[0];
	*end = dirty ? unclean_offset(subject, len, span[1]) : span[1];
	return PATTERN_MATCH;
}

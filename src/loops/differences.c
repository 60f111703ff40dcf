#include "loops/differences.h"

#include "base/alloc.h"
#include <string.h>

static bool
same_text(const char *a, const char *b)
{
	return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static bool
same_list(char *const *a, char *const *b)
{
	size_t n = strlist_len(a);

	if (n != strlist_len(b))
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(a[i], b[i]) != 0)
			return false;
	return true;
}

static void
add_name(struct buf *out, const char *name)
{
	if (name == NULL)
		return;
	if (out->len > 0)
		buf_adds(out, ", ");
	for (; *name != '\0'; name++)
		buf_addc(out, *name == '_' ? '-' : *name);
}

#define SAME_T(a, b) same_text(a, b)
#define SAME_L(a, b) same_list(a, b)
#define SAME_C(a, b) ((a) == (b))
#define SAME_S(a, b) ((a) == (b))
#define SAME_B(a, b) ((a) == (b))
#define SAME_E(a, b) ((a) == (b))
#define SAME_F(a, b) ((a) == (b))

void
differences_find(const struct settings *began, const struct settings *now,
    setting_said_fn *said, const void *ctx, struct buf *out)
{
#define X(type, member, ...)                          \
	if (!SAME_##type(began->member, now->member)) \
		add_name(out, said(#member, offsetof(struct settings, member), ctx));
	SETTINGS(X)
#undef X
}

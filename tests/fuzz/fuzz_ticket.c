/*
 * Any bytes are a ticket or are refused with a sentence; nothing that was read is longer than
 * what was there, and whatever the id is, a name can be made of it.
 */
#include "ticket/ticket.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t
list_bytes(char *const *list)
{
	size_t n = 0;

	for (; *list != NULL; list++) {
		ENSURE(**list != '\0');
		n += strlen(*list) + 1;
	}
	return n;
}

static void
check(const struct ticket *t, size_t size)
{
	AUTO_BUF slug = BUF_INIT;
	size_t n = strlen(t->word) + strlen(t->title);

	ENSURE(*t->id != '\0');
	ENSURE(t->status == ticket_status_parse(t->word));
	n += list_bytes(t->deps) + list_bytes(t->links) + list_bytes(t->tags);
	ENSURE(n <= size);
	ticket_components(t, "component:", &slug);
	buf_clear(&slug);
	ticket_slug(t->id, &slug);
	ENSURE(ticket_id_is_safe(slug.data));
	ENSURE(t->differs == NULL || *t->differs != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct err err = ERR_INIT;
	struct ticket t;

	if (ticket_parse("name", text, size, &t, &err) < 0) {
		ENSURE(err.text[0] != '\0');
		return 0;
	}
	check(&t, size);
	ticket_release(&t);
	return 0;
}

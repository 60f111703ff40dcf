/*
 * listing.c - what `--format table|json|names` prints.
 */
#include "cmd/listing.h"

#include "base/text.h"
#include "cmd/cmd.h"

void
listing_init(struct listing *l, int format, const char *const *headings)
{
	*l = (struct listing){
	    .format = (enum listing_format)format, .array = json_array(), .names = BUF_INIT};
	columns_init(&l->table, headings);
}

bool
listing_add(struct listing *l, const char *name, json_t *object)
{
	if (l->format == LISTING_NAMES) {
		text_show(&l->names, name, strlen(name), false);
		buf_addc(&l->names, '\n');
	}
	if (l->format == LISTING_JSON)
		(void)json_array_append_new(l->array, object);
	else
		json_decref(object);
	return l->format == LISTING_TABLE;
}

int
listing_print(struct listing *l, int unread)
{
	columns_print(&l->table, &l->names);
	if (l->format == LISTING_JSON && unread >= 0)
		cmd_print_json(json_incref(l->array));
	cmd_print(&l->names);
	columns_release(&l->table);
	buf_release(&l->names);
	json_decref(l->array);
	return unread < 0 ? -1 : unread > 0 ? EX_FAILED : EX_OK;
}

#include "supervisor/source.h"

#include "base/alloc.h"

void
source_work_release(struct source_work *work)
{
	buf_release(&work->prompt);
	strlist_free(work->values);
	work->values = NULL;
}

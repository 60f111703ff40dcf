/* The workers, as other programs know them. */
#include "record/registry.h"
#include "scratch.h"

#define RECORD(name, more)                                                              \
	"{\"name\":\"" name "\",\"status\":\"stopped\",\"cmd\":[\"sh\"],\"cwd\":\"/\"," \
	"\"started\":\"2026-01-01\"" more "}"

static json_t *
document(const struct scratch *s)
{
	AUTO_BUF text = BUF_INIT;
	json_t *doc;

	scratch_read(s, "state.json", &text);
	doc = json_parse(text.data, text.len, "state.json", NULL);
	assert_non_null(doc);
	return doc;
}

/* Another program may have written a name twice: what is removed must not be listed again. */
static void
a_name_that_is_there_twice_goes_as_a_whole(void **unused UNUSED)
{
	static const char before[] =
	    "{\"workers\":[" RECORD("a", "") ",{\"name\":\"a\"},7," RECORD(
		"b", ",\"theirs\":1") "," RECORD("a", "") "],\"version\":3}";
	static const char after[] =
	    "{\"workers\":[7," RECORD("b", ",\"theirs\":1") "],\"version\":3}";
	AUTO_JSON *want = json_parse(after, strlen(after), "after", NULL);
	AUTO_JSON *have = NULL;
	struct scratch s;

	scratch_open(&s);
	scratch_write(&s, "state.json", before, strlen(before));
	assert_int_equal(registry_remove(s.dir, "a", NULL), 0);
	have = document(&s);
	assert_true(json_equal(want, have));
	scratch_close(&s);
}

static void
what_others_wrote_stays(void **unused UNUSED)
{
	static const char before[] = "{\"workers\":[7," RECORD(
	    "b", ",\"theirs\":1,\"metadata\":{\"k\":1}") "],\"version\":3}";
	static const char after[] = "{\"workers\":[7," RECORD("b",
	    ",\"theirs\":1,\"metadata\":{\"k\":1,\"n\":2}") ","
							    "{\"name\":\"c\"}],\"version\":3}";
	AUTO_JSON *want = json_parse(after, strlen(after), "after", NULL);
	AUTO_JSON *more = json_pack("{s:{s:i}}", "metadata", "n", 2);
	AUTO_JSON *new = json_pack("{s:s}", "name", "c");
	AUTO_JSON *have = NULL;
	struct scratch s;

	scratch_open(&s);
	scratch_write(&s, "state.json", before, strlen(before));
	assert_int_equal(registry_put(s.dir, "b", more, true, NULL), 0);
	assert_int_equal(registry_put(s.dir, "c", new, true, NULL), 0);
	have = document(&s);
	assert_true(json_equal(want, have));
	scratch_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_name_that_is_there_twice_goes_as_a_whole),
	    cmocka_unit_test(what_others_wrote_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

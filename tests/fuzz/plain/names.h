/*
 * names.h - included before each file of this folder, so that its functions can stand in one
 * program with those of src/watch.
 *
 * The folder has the search for the done pattern as it was before it took any shortcut: each
 * line is searched, compared with the prompt and measured in full.  fuzz_done.c holds today's
 * search against it.  A change of what counts as done is made here, too.
 */
#define done_free plain_done_free
#define done_line plain_done_line
#define done_new plain_done_new
#define done_row plain_done_row
#define done_screen plain_done_screen
#define done_text plain_done_text
#define done_typed plain_done_typed
#define echo_contains plain_echo_contains
#define echo_free plain_echo_free
#define echo_letters plain_echo_letters
#define echo_line plain_echo_line
#define echo_new plain_echo_new
#define echo_place plain_echo_place
#define echo_return plain_echo_return
#define page_contains plain_page_contains
#define page_forget plain_page_forget
#define page_init plain_page_init
#define page_prompt plain_page_prompt
#define page_release plain_page_release
#define page_repeats plain_page_repeats
#define page_row plain_page_row
#define page_screen plain_page_screen
#define page_typed plain_page_typed
#define page_untyped plain_page_untyped
#define pattern_free plain_pattern_free
#define pattern_new plain_pattern_new
#define pattern_search plain_pattern_search
#define row_add plain_row_add
#define row_goes_on plain_row_goes_on
#define row_join plain_row_join
#define typed_add plain_typed_add
#define typed_contains plain_typed_contains
#define typed_init plain_typed_init
#define typed_release plain_typed_release

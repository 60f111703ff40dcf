#include "work/todo/picture.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "desktop/helper.h"
#include "work/todo/todo.h"
#include <ctype.h>

#define PICTURE_PATIENCE (3 * NSEC_PER_SEC)
#define DISPLAY_PATIENCE (2 * NSEC_PER_SEC)

/* ---- whether a picture is wanted -------------------------------------------------------- */

static bool
picture_is_letter(char c)
{
	return isalnum((unsigned char)c) != 0 || ((unsigned char)c & 0x80) != 0;
}

/* Is the word about something to see?  A picture too many costs little, and only where pictures
 * are wanted at all. */
static bool
is_about_seeing(const char *word, size_t len)
{
	static const char *const words[] = {"screen", "screens", "screenshot", "screenshots",
	    "window", "windows", "dialog", "dialogs", "dialogue", "popup", "popups", "modal",
	    "ui", "gui", "display", "displayed", "desktop", "button", "buttons", "see", "seen",
	    "look", "looks", "visible", "visual", "visually"};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i]) == len && strncasecmp(words[i], word, len) == 0)
			return true;
	return false;
}

bool
picture_is_asked(const char *question)
{
	for (const char *p = question; *p != '\0';) {
		size_t len = 0;

		while (picture_is_letter(p[len]))
			len++;
		if (is_about_seeing(p, len))
			return true;
		p += len == 0 ? 1 : len;
	}
	return false;
}

bool
picture_can(struct err *err)
{
	return desktop_answers(NULL, DISPLAY_PATIENCE, err);
}

/* ---- taking the picture ----------------------------------------------------------------- */

void
picture_take(const char *root, const char *name, json_t *out)
{
	AUTO_FREE char *dir = xasprintf("%s/" TODO_DIR "/screenshots", root);
	AUTO_BUF path = BUF_INIT;
	struct err err = ERR_INIT;

	if (desktop_shot(
		&(struct desktop_shot){
		    .dir = dir, .name = name, .project = root, .timeout = PICTURE_PATIENCE},
		&path, &err) == 0) {
		json_put(out, "picture", path.data);
		return;
	}
	json_put(out, "unseen", err.text);
	if (!picture_can(NULL))
		(void)json_object_set_new(out, "blind", json_true());
}

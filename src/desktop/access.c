#include "desktop/access.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include <errno.h>

/* How long one answer may take, unless the whole action has less time left. */
#define ANSWER_MAX NSEC_PER_SEC

#define A11Y "org.a11y.atspi."
#define ACCESSIBLE A11Y "Accessible"
#define ACTION A11Y "Action"
#define COMPONENT A11Y "Component"
#define REGISTRY A11Y "Registry"
#define ROOT "/org/a11y/atspi/accessible/root"

#define AUTO_MESSAGE __attribute__((cleanup(message_release))) DBusMessage

static void
message_release(DBusMessage **m)
{
	if (*m != NULL)
		dbus_message_unref(*m);
}

/* ---- asking -------------------------------------------------------------------------- */

/* Asks the object and waits for its answer.  The arguments behind err are those of
 * dbus_message_append_args. */
static DBusMessage *
access_ask(DBusConnection *bus, int64_t until, const struct accessible *n,
    const char *interface, const char *member, struct err *err, int type, ...)
{
	AUTO_MESSAGE *asked = dbus_message_new_method_call(n->bus, n->path, interface, member);
	DBusError error = DBUS_ERROR_INIT;
	int64_t left = until - clock_boot();
	DBusMessage *answer = NULL;
	AUTO_BUF shown = BUF_INIT;
	va_list args;

	if (asked == NULL)
		BUG("no memory for a message");
	va_start(args, type);
	(void)dbus_message_append_args_valist(asked, type, args);
	va_end(args);
	if (left > 0)
		answer = dbus_connection_send_with_reply_and_block(
		    bus, asked, (int)(left / NSEC_PER_MSEC + 1), &error);
	if (answer != NULL)
		return answer;
	if (left <= 0 || dbus_error_has_name(&error, DBUS_ERROR_NO_REPLY) ||
	    dbus_error_has_name(&error, DBUS_ERROR_TIMEOUT)) {
		(void)err_code(err, ETIMEDOUT, "it does not answer");
	} else {
		text_show(&shown, error.message, strlen(error.message), false);
		(void)err_code(err, EIO, "%s", shown.data);
	}
	dbus_error_free(&error);
	return NULL;
}

static int64_t
soon(const struct access *a)
{
	int64_t until = clock_boot() + ANSWER_MAX;

	return until < a->deadline ? until : a->deadline;
}

static int
not_understood(struct err *err)
{
	return err_code(err, EPROTO, "its answer cannot be understood");
}

/* The one value of an answer.  -1: there is none, or (with err) it is of another type. */
static int
understand(DBusMessage *answer, struct err *err, int type, void *value)
{
	if (answer == NULL)
		return -1;
	return dbus_message_get_args(answer, NULL, type, value, DBUS_TYPE_INVALID)
		   ? 0
		   : not_understood(err);
}

/* As understand, for an answer that is a list, a struct or a variant: enters it. */
static int
understand_inside(
    DBusMessage *answer, const char *signature, DBusMessageIter *inside, struct err *err)
{
	DBusMessageIter args;

	if (answer == NULL)
		return -1;
	if (!dbus_message_has_signature(answer, signature) ||
	    !dbus_message_iter_init(answer, &args))
		return not_understood(err);
	dbus_message_iter_recurse(&args, inside);
	return 0;
}

/* ---- the bus ------------------------------------------------------------------------- */

static void
disconnect(DBusConnection *bus)
{
	if (bus == NULL)
		return;
	dbus_connection_close(bus);
	dbus_connection_unref(bus);
}

/* Waits until the bus knows who we are: a question asked before would wait for that without a
 * limit. */
static int
introduce(DBusConnection *bus, int64_t until)
{
	while (!dbus_connection_get_is_authenticated(bus)) {
		int64_t left = until - clock_boot();

		if (left <= 0 ||
		    !dbus_connection_read_write(bus, (int)(left / NSEC_PER_MSEC + 1)))
			return -1;
	}
	return 0;
}

/* The first word on a bus.  dbus_bus_register would wait for its answer as long as it likes. */
static int
say_hello(DBusConnection *bus, int64_t until)
{
	static char name[] = DBUS_SERVICE_DBUS, path[] = DBUS_PATH_DBUS;
	const struct accessible daemon = {name, path};
	AUTO_MESSAGE *answer = access_ask(
	    bus, until, &daemon, DBUS_INTERFACE_DBUS, "Hello", NULL, DBUS_TYPE_INVALID);
	const char *ours;

	if (understand(answer, NULL, DBUS_TYPE_STRING, &ours) < 0)
		return -1;
	return dbus_bus_set_unique_name(bus, ours) ? 0 : -1;
}

static DBusConnection *
access_connect_to(const char *address, int64_t until)
{
	DBusConnection *bus = dbus_connection_open_private(address, NULL);

	if (bus == NULL)
		return NULL;
	dbus_connection_set_exit_on_disconnect(bus, false);
	if (introduce(bus, until) == 0 && say_hello(bus, until) == 0)
		return bus;
	disconnect(bus);
	return NULL;
}

/* Is the address, which others wrote, a socket?  "unixexec:" would be a program to start. */
static bool
is_socket(const char *address)
{
	return strncmp(address, "unix:", 5) == 0 && strchr(address, ';') == NULL;
}

/* libdbus would start a bus of its own where there is none; we would be alone on it. */
static char *
session_address(void)
{
	const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
	const char *dir = getenv("XDG_RUNTIME_DIR");
	AUTO_FREE char *path = NULL;

	if (address != NULL && address[0] != '\0')
		return xstrdup(address);
	path = dir == NULL ? NULL : xasprintf("%s/bus", dir);
	if (path == NULL || access(path, F_OK) != 0)
		return NULL;
	return xasprintf("unix:path=%s", path);
}

static char *
ask_session(int64_t deadline)
{
	static char name[] = "org.a11y.Bus", path[] = "/org/a11y/bus";
	const struct accessible launcher = {name, path};
	AUTO_FREE char *address = session_address();
	DBusConnection *bus = address == NULL ? NULL : access_connect_to(address, deadline);
	AUTO_MESSAGE *answer = NULL;
	char *found = NULL;
	const char *s;

	if (bus == NULL)
		return NULL;
	answer =
	    access_ask(bus, deadline, &launcher, name, "GetAddress", NULL, DBUS_TYPE_INVALID);
	if (understand(answer, NULL, DBUS_TYPE_STRING, &s) == 0)
		found = xstrdup(s);
	disconnect(bus);
	return found;
}

int
access_open(struct access *a, const struct display *d, struct err *err)
{
	const char *set = getenv("AT_SPI_BUS_ADDRESS");
	AUTO_FREE char *address = NULL;

	*a = (struct access){.deadline = d->deadline};
	/* The order in which the programs look for it. */
	if (set != NULL && set[0] != '\0')
		a->bus = access_connect_to(set, d->deadline);
	if (a->bus == NULL)
		address = display_text(d, d->root, d->atoms[ATOM_AT_SPI_BUS]);
	if (address != NULL && is_socket(address))
		a->bus = access_connect_to(address, d->deadline);
	if (a->bus == NULL) {
		free(address);
		address = ask_session(d->deadline);
		if (address != NULL && is_socket(address))
			a->bus = access_connect_to(address, d->deadline);
	}
	if (a->bus == NULL)
		return err_code(err, ENXIO,
		    "there is no accessibility bus (AT-SPI) that answers, without which no "
		    "element is found by its name; at-spi2-core provides it");
	return 0;
}

void
access_close(struct access *a)
{
	disconnect(a->bus);
	a->bus = NULL;
}

/* ---- objects ------------------------------------------------------------------------- */

void
accessible_release(struct accessible *object)
{
	free(object->bus);
	free(object->path);
	*object = (struct accessible){0};
}

void
accessibles_release(struct accessibles *objects)
{
	for (size_t i = 0; i < objects->n; i++)
		accessible_release(&objects->list[i]);
	free(objects->list);
	*objects = (struct accessibles){0};
}

int
access_children(const struct access *a, const struct accessible *n, struct accessibles *out,
    struct err *err)
{
	AUTO_MESSAGE *answer =
	    access_ask(a->bus, soon(a), n, ACCESSIBLE, "GetChildren", err, DBUS_TYPE_INVALID);
	DBusMessageIter array, pair;

	*out = (struct accessibles){0};
	if (understand_inside(answer, "a(so)", &array, err) < 0)
		return -1;
	for (; dbus_message_iter_get_arg_type(&array) == DBUS_TYPE_STRUCT;
	     dbus_message_iter_next(&array)) {
		const char *bus, *path;

		dbus_message_iter_recurse(&array, &pair);
		dbus_message_iter_get_basic(&pair, &bus);
		dbus_message_iter_next(&pair);
		dbus_message_iter_get_basic(&pair, &path);
		/* An empty name is the program's way to say "none". */
		if (!dbus_validate_bus_name(bus, NULL))
			continue;
		out->list = xreallocarray(out->list, out->n + 1, sizeof(*out->list));
		out->list[out->n++] = (struct accessible){xstrdup(bus), xstrdup(path)};
	}
	return 0;
}

int
access_programs(const struct access *a, struct accessibles *out, struct err *err)
{
	static char name[] = REGISTRY, path[] = ROOT;
	const struct accessible registry = {name, path};

	return access_children(a, &registry, out, err);
}

int
access_pid(const struct access *a, const struct accessible *n, uint32_t *pid, struct err *err)
{
	static char name[] = DBUS_SERVICE_DBUS, path[] = DBUS_PATH_DBUS;
	const struct accessible bus = {name, path};
	AUTO_MESSAGE *answer = access_ask(a->bus, soon(a), &bus, DBUS_INTERFACE_DBUS,
	    "GetConnectionUnixProcessID", err, DBUS_TYPE_STRING, &n->bus, DBUS_TYPE_INVALID);

	return understand(answer, err, DBUS_TYPE_UINT32, pid);
}

static DBusMessage *
ask_property(const struct access *a, const struct accessible *n, const char *interface,
    const char *name, DBusMessageIter *value, struct err *err)
{
	AUTO_MESSAGE *answer = access_ask(a->bus, soon(a), n, DBUS_INTERFACE_PROPERTIES, "Get",
	    err, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name, DBUS_TYPE_INVALID);

	return understand_inside(answer, "v", value, err) < 0 ? NULL : take_ptr(answer);
}

int
access_name(const struct access *a, const struct accessible *n, char **out, struct err *err)
{
	DBusMessageIter value;
	AUTO_MESSAGE *answer = ask_property(a, n, ACCESSIBLE, "Name", &value, err);
	const char *s = "";

	if (answer == NULL)
		return -1;
	if (dbus_message_iter_get_arg_type(&value) == DBUS_TYPE_STRING)
		dbus_message_iter_get_basic(&value, &s);
	*out = xstrdup(s);
	return 0;
}

int
access_role(const struct access *a, const struct accessible *n, char **out, struct err *err)
{
	AUTO_MESSAGE *answer =
	    access_ask(a->bus, soon(a), n, ACCESSIBLE, "GetRoleName", err, DBUS_TYPE_INVALID);
	const char *s;

	if (understand(answer, err, DBUS_TYPE_STRING, &s) < 0)
		return -1;
	*out = xstrdup(s);
	return 0;
}

int
access_states(
    const struct access *a, const struct accessible *n, uint64_t *out, struct err *err)
{
	AUTO_MESSAGE *answer =
	    access_ask(a->bus, soon(a), n, ACCESSIBLE, "GetState", err, DBUS_TYPE_INVALID);
	const dbus_uint32_t *words;
	int count;

	if (answer == NULL)
		return -1;
	if (!dbus_message_get_args(answer, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_UINT32, &words,
		&count, DBUS_TYPE_INVALID) ||
	    count < 2)
		return not_understood(err);
	*out = words[0] | (uint64_t)words[1] << 32;
	return 0;
}

int
access_extents(
    const struct access *a, const struct accessible *n, int32_t out[static 4], struct err *err)
{
	const dbus_uint32_t of_screen = 0;
	AUTO_MESSAGE *answer = access_ask(a->bus, soon(a), n, COMPONENT, "GetExtents", err,
	    DBUS_TYPE_UINT32, &of_screen, DBUS_TYPE_INVALID);
	DBusMessageIter four;

	if (understand_inside(answer, "(iiii)", &four, err) < 0)
		return -1;
	for (int i = 0; i < 4; i++) {
		dbus_message_iter_get_basic(&four, &out[i]);
		dbus_message_iter_next(&four);
	}
	return 0;
}

/* ---- actions ------------------------------------------------------------------------- */

int
access_actions(const struct access *a, const struct accessible *n, struct err *err)
{
	DBusMessageIter value;
	struct err why = ERR_INIT;
	AUTO_MESSAGE *answer = ask_property(a, n, ACTION, "NActions", &value, &why);
	dbus_int32_t count = 0;

	/* An object without such an interface answers with an error. */
	if (answer == NULL)
		return why.code == ETIMEDOUT ? err_code(err, why.code, "%s", why.text) : 0;
	if (dbus_message_iter_get_arg_type(&value) == DBUS_TYPE_INT32)
		dbus_message_iter_get_basic(&value, &count);
	return count > 0 ? count : 0;
}

/* Which of the actions is a click, by the names that toolkits give it; the first if none is. */
static dbus_int32_t
click_index(const struct access *a, const struct accessible *n, int count)
{
	static const char *const names[] = {
	    "click", "press", "activate", "jump", "toggle", "select"};

	for (dbus_int32_t i = 0; i < count && i < 16; i++) {
		AUTO_MESSAGE *answer = access_ask(a->bus, soon(a), n, ACTION, "GetName", NULL,
		    DBUS_TYPE_INT32, &i, DBUS_TYPE_INVALID);
		const char *s;

		if (understand(answer, NULL, DBUS_TYPE_STRING, &s) < 0)
			continue;
		for (size_t j = 0; j < ARRAY_LEN(names); j++)
			if (strcasecmp(s, names[j]) == 0)
				return i;
	}
	return 0;
}

int
access_act(const struct access *a, const struct accessible *n, struct err *err)
{
	int count = access_actions(a, n, err);
	dbus_int32_t index = count > 0 ? click_index(a, n, count) : 0;
	AUTO_MESSAGE *answer = NULL;
	dbus_bool_t done;

	if (count <= 0)
		return count < 0 ? -1 : err_code(err, EINVAL, "it has no action");
	answer = access_ask(a->bus, a->deadline, n, ACTION, "DoAction", err, DBUS_TYPE_INT32,
	    &index, DBUS_TYPE_INVALID);
	if (understand(answer, err, DBUS_TYPE_BOOLEAN, &done) < 0)
		return -1;
	return done ? 0 : err_code(err, EIO, "its program refused the click");
}

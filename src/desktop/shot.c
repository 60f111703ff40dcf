#include "desktop/shot.h"

#include "base/clock.h"
#include "desktop/png.h"
#include <poll.h>

/* A window that came to the front is painted when two looks see the same. */
#define LOOK_MS 50
#define REST_MAX NSEC_PER_SEC

/* Eight bits of a colour: where they are in a pixel, and how many bits there are. */
struct channel {
	unsigned shift, bits;
};

struct image {
	xcb_get_image_reply_t *reply;
	const uint8_t *data;
	size_t len, stride, bytes; /* bytes: of a pixel */
	uint32_t width, height;
	bool msb_first;
	struct channel rgb[3];
};

static struct channel
channel_of(uint32_t mask)
{
	struct channel c = {0};

	if (mask == 0)
		return c;
	c.shift = (unsigned)__builtin_ctz(mask);
	c.bits = (unsigned)__builtin_popcount(mask);
	return c;
}

static const xcb_visualtype_t *
visual_of(const struct display *d, xcb_visualid_t id)
{
	for (xcb_depth_iterator_t depth = xcb_screen_allowed_depths_iterator(d->screen);
	     depth.rem > 0; xcb_depth_next(&depth))
		for (xcb_visualtype_iterator_t v = xcb_depth_visuals_iterator(depth.data);
		     v.rem > 0; xcb_visualtype_next(&v))
			if (v.data->visual_id == id)
				return v.data;
	return NULL;
}

/* Finds how pixels of that depth are laid out in the reply. */
static int
find_layout(const struct display *d, uint8_t depth, struct image *image)
{
	const xcb_setup_t *setup = xcb_get_setup(d->c);
	xcb_format_iterator_t f = xcb_setup_pixmap_formats_iterator(setup);

	while (f.rem > 0 && f.data->depth != depth)
		xcb_format_next(&f);
	if (f.rem <= 0 || f.data->bits_per_pixel % 8 != 0 || f.data->bits_per_pixel < 16 ||
	    f.data->bits_per_pixel > 32 || f.data->scanline_pad == 0)
		return -1;
	image->bytes = f.data->bits_per_pixel / 8U;
	image->stride =
	    ((size_t)image->width * f.data->bits_per_pixel + f.data->scanline_pad - 1) /
	    f.data->scanline_pad * f.data->scanline_pad / 8;
	image->msb_first = setup->image_byte_order == XCB_IMAGE_ORDER_MSB_FIRST;
	return 0;
}

static int
grab(const struct display *d, int x, int y, uint32_t width, uint32_t height,
    struct image *image, struct err *err)
{
	const xcb_visualtype_t *visual = visual_of(d, d->screen->root_visual);

	*image = (struct image){.width = width, .height = height};
	if (visual == NULL || visual->_class != XCB_VISUAL_CLASS_TRUE_COLOR)
		return err_set(err, "the screen's colours are of a kind we cannot read");
	image->rgb[0] = channel_of(visual->red_mask);
	image->rgb[1] = channel_of(visual->green_mask);
	image->rgb[2] = channel_of(visual->blue_mask);
	image->reply = xcb_get_image_reply(d->c,
	    xcb_get_image(d->c, XCB_IMAGE_FORMAT_Z_PIXMAP, d->root, (int16_t)x, (int16_t)y,
		(uint16_t)width, (uint16_t)height, ~UINT32_C(0)),
	    NULL);
	if (image->reply == NULL)
		return err_set(err, "the display does not give a picture of its screen");
	image->data = xcb_get_image_data(image->reply);
	image->len = (size_t)xcb_get_image_data_length(image->reply);
	if (find_layout(d, image->reply->depth, image) == 0 &&
	    image->len >= image->stride * height)
		return 0;
	free(image->reply);
	image->reply = NULL;
	return err_set(err, "the screen's pixels are of a kind we cannot read");
}

static unsigned char
intensity(uint32_t pixel, struct channel c)
{
	uint32_t max = c.bits == 0 ? 1 : c.bits >= 32 ? UINT32_MAX : (1U << c.bits) - 1;
	uint32_t v = pixel >> c.shift & max;

	if (c.bits == 0)
		return 0;
	return (unsigned char)(c.bits == 8 ? v : (uint64_t)v * 255 / max);
}

static void
image_row(const void *ctx, uint32_t y, unsigned char *rgb)
{
	const struct image *image = ctx;
	const uint8_t *p = image->data + y * image->stride;

	for (uint32_t x = 0; x < image->width; x++, p += image->bytes) {
		uint32_t pixel = 0;

		for (size_t i = 0; i < image->bytes; i++)
			pixel |= (uint32_t)p[i]
				 << 8 * (image->msb_first ? image->bytes - 1 - i : i);
		for (size_t i = 0; i < 3; i++)
			*rgb++ = intensity(pixel, image->rgb[i]);
	}
}

static bool
shot_same(const struct image *a, const struct image *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

/* Looks again until nothing changes any more.  A film never rests; then the latest will do. */
static int
shot_settle(const struct display *d, int x, int y, struct image *image, struct err *err)
{
	int64_t until = clock_boot() + REST_MAX;

	if (until > d->deadline)
		until = d->deadline;
	while (clock_boot() < until) {
		struct image next;
		bool rests;

		(void)poll(NULL, 0, LOOK_MS);
		if (grab(d, x, y, image->width, image->height, &next, err) < 0)
			return -1;
		rests = shot_same(image, &next);
		free(image->reply);
		*image = next;
		if (rests)
			break;
	}
	return 0;
}

static int
shot_rect(const struct display *d, int x, int y, int right, int bottom, bool moving,
    struct buf *png, struct err *err)
{
	struct image image;
	int rc;

	x = x < 0 ? 0 : x;
	y = y < 0 ? 0 : y;
	if (right > d->screen->width_in_pixels)
		right = d->screen->width_in_pixels;
	if (bottom > d->screen->height_in_pixels)
		bottom = d->screen->height_in_pixels;
	if (right <= x || bottom <= y)
		return err_set(err, "the window is not on the screen");
	if (grab(d, x, y, (uint32_t)(right - x), (uint32_t)(bottom - y), &image, err) < 0)
		return -1;
	rc = moving ? shot_settle(d, x, y, &image, err) : 0;
	if (rc == 0)
		rc = png_encode(image.width, image.height, image_row, &image, png, err);
	free(image.reply);
	return rc;
}

int
shot_png(const struct display *d, const struct toplevel *w, struct buf *png, struct err *err)
{
	struct toplevel now;

	if (w == NULL)
		return shot_rect(d, 0, 0, d->screen->width_in_pixels,
		    d->screen->height_in_pixels, false, png, err);
	now = *w;
	if (toplevel_focus(d, w, err) < 0 || toplevel_place(d, &now, err) < 0)
		return -1;
	return shot_rect(
	    d, now.x, now.y, now.x + now.width, now.y + now.height, !w->active, png, err);
}

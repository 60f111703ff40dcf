/*
 * png.h - pictures as PNG: 8 bits each of red, green and blue.
 *
 * On zlib alone.  libpng would be a second library for the four chunks that a screenshot needs.
 */
#ifndef DESKTOP_PNG_H
#define DESKTOP_PNG_H

#include "base/buf.h"
#include "base/err.h"

/* Fills in row y: three bytes a pixel. */
typedef void png_row_fn(const void *ctx, uint32_t y, unsigned char *rgb);

int png_encode(uint32_t width, uint32_t height, png_row_fn *row, const void *ctx,
    struct buf *out, struct err *err) NODISCARD;

#endif

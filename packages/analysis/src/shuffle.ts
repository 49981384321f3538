/**
 * Writes 2-, 4- or 8-byte numbers byte plane by byte plane: all lowest bytes, then all second ones. Neighbouring
 * numbers share their high bytes, so deflate compresses those planes to almost nothing.
 */
export function shuffle(bytes: Uint8Array, width: number, target: Uint8Array): void {
  const count = bytes.length / width;
  for (let plane = 0; plane < width; plane++) {
    const offset = plane * count;
    for (let index = 0, at = plane; index < count; index++, at += width) target[offset + index] = bytes[at]!;
  }
}

/** Reverses {@link shuffle}. */
export function unshuffle(planes: Uint8Array, width: number, target: Uint8Array): void {
  const count = planes.length / width;
  for (let plane = 0; plane < width; plane++) {
    const offset = plane * count;
    for (let index = 0, at = plane; index < count; index++, at += width) target[at] = planes[offset + index]!;
  }
}

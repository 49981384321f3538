/**
 * The UTF-8 bytes of a text. Lone surrogates count as U+FFFD, as in every UTF-8 encoder. `TextEncoder` would do the same,
 * but jsdom, and so Jest, has none.
 */
export function toUtf8(text: string): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    let point = text.codePointAt(at)!;
    if (point > 0xffff) at += 1;
    if (point >> 11 === 0xd800 >> 11) point = 0xfffd;
    // How many bytes of six bits follow the first.
    let more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    bytes.push(more > 0 ? ((-128 >> more) & 0xff) | (point >> (6 * more)) : point);
    while (more > 0) {
      more -= 1;
      bytes.push(0x80 | ((point >> (6 * more)) & 0x3f));
    }
  }
  return bytes;
}

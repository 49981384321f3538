/** A constructor of typed arrays. */
export interface ArrayType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset?: number, length?: number): T;
}

/** Allocates an array of zeros. */
export type Allocate = <T>(type: ArrayType<T>, length: number) => T;

/** Allocates an array for this thread. */
export const allocate: Allocate = (Type, length) => new Type(new ArrayBuffer(length * Type.BYTES_PER_ELEMENT));

/** Allocates an array that threads can share. */
export const allocateShared: Allocate = (Type, length) =>
  new Type(new SharedArrayBuffer(length * Type.BYTES_PER_ELEMENT));

// Memory lent to the question that is being answered, and memory that earlier ones no longer use. The garbage collector
// does not see how large shared memory is: without this, each question would leave a hundred megabytes behind.
let lent: SharedArrayBuffer[] = [];
let free: SharedArrayBuffer[] = [];

/** Allocates an array that threads can share, until {@link reclaim}. */
export const borrow: Allocate = (Type, length) => {
  const bytes = length * Type.BYTES_PER_ELEMENT;
  const index = free.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes);
  const buffer = index < 0 ? new SharedArrayBuffer(bytes) : free.splice(index, 1)[0]!;
  lent.push(buffer);
  if (index >= 0) new Uint8Array(buffer).fill(0);
  return new Type(buffer, 0, length);
};

/** Takes borrowed memory back. Only the memory of the last question is kept. */
export function reclaim(): void {
  if (lent.length === 0) return;
  free = lent;
  lent = [];
}

/** Leaves all borrowed memory to the garbage collector. */
export function forget(): void {
  lent = [];
  free = [];
}

/** Returns an array that threads can share: the same one if they can, otherwise a borrowed copy. */
export function toShared<T extends Int32Array | Uint32Array | Float64Array>(array: T, type: ArrayType<T>): T {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = borrow(type, array.length);
  copy.set(array);
  return copy;
}

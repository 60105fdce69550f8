const signatures: { type: string; starts: (bytes: Uint8Array) => boolean }[] = [
  { type: 'image/png', starts: (bytes) => matches(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: 'image/jpeg', starts: (bytes) => matches(bytes, [0xff, 0xd8, 0xff]) },
  { type: 'image/gif', starts: (bytes) => matches(bytes, [0x47, 0x49, 0x46, 0x38]) },
  {
    type: 'image/webp',
    starts: (bytes) => matches(bytes, [0x52, 0x49, 0x46, 0x46]) && matches(bytes.subarray(8), [0x57, 0x45, 0x42, 0x50]),
  },
];

/** What the bytes are, whatever the other side calls them. Only plain pictures: SVG can carry scripts and is refused. */
export function imageTypeOf(bytes: Uint8Array): string | null {
  return signatures.find((signature) => signature.starts(bytes))?.type ?? null;
}

function matches(bytes: Uint8Array, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[index] === byte);
}

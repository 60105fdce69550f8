/** 128 random bits as hex. `crypto.randomUUID` would do, but exists on https and localhost only. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A version 4 UUID, also where `crypto.randomUUID` is missing. */
export function randomUuid(): string {
  const key = randomKey();
  const variant = '89ab'[Number.parseInt(key[16]!, 16) & 3]!;
  return [key.slice(0, 8), key.slice(8, 12), `4${key.slice(13, 16)}`, variant + key.slice(17, 20), key.slice(20)].join(
    '-',
  );
}

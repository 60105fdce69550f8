import { createHash } from 'node:crypto';

/** One request, one id: a request that is taken up again finds the order it placed. */
export function requestOrderId(...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(parts.join('\n')).digest().subarray(0, 16);
  // Version 8 of the UUID format, which is free for one's own use.
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Where a creator's purchase missed the followers' limit price, his own part goes on as an order of this id. */
export function aloneOrderId(orderId: string): string {
  return requestOrderId('alone', orderId);
}

/** More than was allowed: what the other side sends is not read any further. */
export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';

  constructor(bytesMax: number) {
    super(`the reply has more than ${bytesMax} bytes`);
  }
}

/** The body of a reply from outside, which must not decide how much memory it takes here. */
export async function readReply(reply: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the connection.
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new ReplyTooLarge(bytesMax);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

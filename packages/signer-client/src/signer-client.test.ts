import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { SignerClient } from './signer-client.ts';

let server: Server;
let client: SignerClient;
afterEach(async () => {
  client.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Something that answers the first line with `first`, and every later one as a signer does. */
async function aSigner(first: string | Buffer): Promise<void> {
  const socketPath = join(tmpdir(), `${randomUUID()}.sock`);
  let isFirst = true;
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (line: Buffer) => {
      const { id } = JSON.parse(line.toString()) as { id: number };
      socket.write(isFirst ? first : `${JSON.stringify({ id, result: { keyId: 'key' } })}\n`);
      isFirst = false;
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  client = new SignerClient({ socketPath, token: 'token' });
}

it.each([
  ['no JSON', 'signer is starting\n'],
  ['JSON that is no reply', 'null\n'],
  ['an answer without an end', Buffer.alloc(17 * 1024 * 1024, 'x')],
])('fails the call that gets %s, and connects again for the next one', async (_what, first) => {
  await aSigner(first);
  await expect(client.rotate()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(await client.rotate()).toEqual({ keyId: 'key' });
});

import { once } from 'node:events';
import { Keypair } from '@hunter/solana/keypair';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestNode, type TestNode } from './node-for-test.ts';

const DATA_BYTES = 700_000;
/** Together more than may wait for one client and what the system keeps for it besides. */
const NOTICES = 24;

let node: TestNode;
beforeAll(async () => {
  node = await startTestNode({ manualSlots: true });
});
afterAll(() => node.close());

async function subscriber(params: unknown[]): Promise<{ socket: WebSocket; notices: () => number }> {
  const socket = new WebSocket(node.wsUrl);
  let notices = 0;
  let isSubscribed = false;
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    if (data.includes('Notification', 0)) notices += 1;
    else isSubscribed = true;
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }));
  await expect.poll(() => isSubscribed).toBe(true);
  return { socket, notices: () => notices };
}

it('drops a reader that does not read, and serves the others on', async () => {
  const { address } = Keypair.generate();
  const account = {
    lamports: 10n ** 12n,
    data: new Uint8Array(DATA_BYTES).fill(7),
    owner: SYSTEM_PROGRAM,
    executable: false,
  };
  await node.chain.setAccounts([{ address, account }]);
  const params = [address, { encoding: 'base64', commitment: 'processed' }];
  const slow = await subscriber(params);
  const quick = await subscriber(params);
  slow.socket.pause();
  const closed = once(slow.socket, 'close');
  for (let notice = 1; notice <= NOTICES; notice += 1) {
    await node.chain.airdrop(address, 1_000_000_000n);
    await expect.poll(quick.notices).toBe(notice);
  }
  slow.socket.resume();
  await closed;
  expect(slow.notices()).toBeLessThan(NOTICES);
  expect(quick.socket.readyState).toBe(WebSocket.OPEN);
  quick.socket.terminate();
});

import { once } from 'node:events';
import { Keypair } from '@hunter/solana/keypair';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestNode, type TestNode } from './node-for-test.ts';

let node: TestNode;
beforeAll(async () => {
  node = await startTestNode({ manualSlots: true });
});
afterAll(() => node.close());

it('tells of an account that is too large for base58, the encoding of who asks for none', async () => {
  const { address } = Keypair.generate();
  const account = { lamports: 10n ** 12n, data: new Uint8Array(165), owner: SYSTEM_PROGRAM, executable: false };
  await node.chain.setAccounts([{ address, account }]);
  const socket = new WebSocket(node.wsUrl);
  const messages: { params?: { result: { value: { data: unknown; space: number } } } }[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
  await once(socket, 'open');
  const params = [address, { commitment: 'processed' }];
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params }));
  await expect.poll(() => messages.length).toBe(1);
  await node.chain.airdrop(address, 1_000_000_000n);
  await expect.poll(() => messages.length).toBe(2);
  expect(messages[1]?.params?.result.value).toMatchObject({
    data: 'error: data too large for bs58 encoding',
    space: 165,
  });
  socket.terminate();
});

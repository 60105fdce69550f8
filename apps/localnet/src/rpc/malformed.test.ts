// Whatever arrives, the answer is Solana's own error and the node goes on.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestNode, type TestNode } from './node-for-test.ts';

let node: TestNode;

beforeAll(async () => {
  node = await startTestNode({ manualSlots: true });
});

afterAll(() => node.close());

async function post(body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): Promise<Response> {
  return fetch(node.url, { method: 'POST', headers: { 'content-type': type }, body });
}

async function answerTo(body: string): Promise<unknown> {
  return (await post(body)).json();
}

async function transferWire(payer: Keypair): Promise<Uint8Array> {
  const message = compileMessage({
    feePayer: payer.address,
    recentBlockhash: node.chain.latestBlockhash().blockhash,
    instructions: [transferSol({ from: payer.address, to: Keypair.generate().address, lamports: 1_000_000n })],
  });
  return encodeTransaction(signTransaction(transactionFromMessage(message), [payer]));
}

async function fundedPayer(): Promise<Keypair> {
  const payer = Keypair.generate();
  await node.chain.airdrop(payer.address, 10_000_000_000n);
  return payer;
}

function send(wire: Uint8Array, config: object = {}) {
  return node.call('sendTransaction', [Buffer.from(wire).toString('base64'), { encoding: 'base64', ...config }]);
}

describe('requests that make no sense', () => {
  it.each([
    ['text that is not JSON', '{"jsonrpc":', -32700],
    ['an empty batch', '[]', -32600],
    ['a bare number', '7', -32600],
    ['another protocol version', '{"jsonrpc":"1.0","id":1,"method":"getSlot"}', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['parameters by name', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{"commitment":"finalized"}}', -32600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"getTheMoon"}', -32601],
    ['a method of the language itself', '{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601],
    ['too few parameters', '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":[]}', -32602],
    ['an address that is none', '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["0OIl"]}', -32602],
    ['a number for an address', '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":[7]}', -32602],
    ['an unknown commitment', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"sure"}]}', -32602],
    ['a slot that is text', '{"jsonrpc":"2.0","id":1,"method":"getBlock","params":["one"]}', -32602],
    [
      'more lamports than fit 64 bits',
      '{"jsonrpc":"2.0","id":1,"method":"requestAirdrop","params":["11111111111111111111111111111111",1e30]}',
      -32602,
    ],
    ['a negative slot', '{"jsonrpc":"2.0","id":1,"method":"getBlockTime","params":[-1]}', -32602],
    [
      'too large a page',
      '{"jsonrpc":"2.0","id":1,"method":"getSignaturesForAddress","params":["11111111111111111111111111111111",{"limit":1001}]}',
      -32602,
    ],
    [
      'a slot not reached yet',
      '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"minContextSlot":999999999999}]}',
      -32016,
    ],
    ['a block to come', '{"jsonrpc":"2.0","id":1,"method":"getBlock","params":[999999999999]}', -32004],
    ['a block from before the ledger', '{"jsonrpc":"2.0","id":1,"method":"getBlock","params":[5]}', -32001],
  ])('answers %s', async (_what, body, code) => {
    expect(await answerTo(body)).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it('echoes the id as it came and never adds an error to a result', async () => {
    expect(await answerTo('{"jsonrpc":"2.0","id":"a-1","method":"getHealth"}')).toEqual({
      jsonrpc: '2.0',
      id: 'a-1',
      result: 'ok',
    });
  });

  it('answers each part of a batch on its own', async () => {
    const answers = await answerTo(
      '[{"jsonrpc":"2.0","id":1,"method":"getHealth"},{"jsonrpc":"2.0","id":2,"method":"nothing"},5]',
    );
    expect(answers).toMatchObject([
      { id: 1, result: 'ok' },
      { id: 2, error: { code: -32601 } },
      { error: { code: -32600 } },
    ]);
  });

  it('refuses bodies beyond the limit and other content types', async () => {
    const large = await post(`{"jsonrpc":"2.0","id":1,"method":"getHealth","params":["${'x'.repeat(60_000)}"]}`);
    expect(large.status).toBe(413);
    expect((await post('{}', 'text/plain')).status).toBe(415);
  });

  it('lives through random bytes', async () => {
    for (let i = 0; i < 50; i += 1) {
      const answer = (await (await post(new Uint8Array(randomBytes(i * 7)))).json()) as { error: { code: number } };
      expect([-32700, -32600]).toContain(answer.error.code);
    }
  });
});

describe('transactions that are not what they say', () => {
  it('refuses a forged signature with and without preflight', async () => {
    const wire = await transferWire(await fundedPayer());
    wire[10] = wire[10]! ^ 0xff;
    expect((await send(wire)).error?.code).toBe(-32003);
    expect((await send(wire, { skipPreflight: true })).error?.code).toBe(-32003);
  });

  it('refuses every cut and every flipped byte of a transaction, or runs it, but never stops', async () => {
    const wire = await transferWire(await fundedPayer());
    const cuts = Array.from({ length: wire.length }, (_, length) => wire.slice(0, length));
    const flips = Array.from({ length: wire.length * 2 }, (_, i) => {
      const copy = wire.slice();
      copy[i % wire.length] = copy[i % wire.length]! ^ (i < wire.length ? 0x80 : 1 + (i % 127));
      return copy;
    });
    for (const bytes of [...cuts, ...flips]) {
      const outcome = await node.chain.submit(bytes, { skipPreflight: true });
      expect(outcome.kind).toBe('refused');
    }
    for (const bytes of [...cuts, ...flips].filter((_, i) => i % 5 === 0)) {
      const text = Buffer.from(bytes).toString('base64');
      const answer = await node.call('simulateTransaction', [
        text,
        { encoding: 'base64', replaceRecentBlockhash: true },
      ]);
      expect(answer.error ?? answer.result).toBeDefined();
    }
    expect((await node.call('getHealth')).result).toBe('ok');
  });

  it.each([
    ['base64 with strange letters', '!!!!', 'base64'],
    ['base58 with strange letters', '0OIl', 'base58'],
    ['too long a text', 'A'.repeat(2000), 'base64'],
    ['nothing', '', 'base64'],
  ])('refuses %s', async (_what, text, encoding) => {
    expect((await node.call('sendTransaction', [text, { encoding }])).error?.code).toBe(-32602);
  });
});

describe('subscriptions that make no sense', () => {
  it('answers with errors, ignores pings without an id, and stays open', async () => {
    const socket = new WebSocket(node.wsUrl);
    await once(socket, 'open');
    const ask = async (text: string): Promise<unknown> => {
      socket.send(text);
      const [data] = (await once(socket, 'message')) as [Buffer];
      return JSON.parse(data.toString());
    };
    expect(await ask('{')).toMatchObject({ error: { code: -32700 } });
    expect(await ask('{"jsonrpc":"2.0","id":1,"method":"moonSubscribe"}')).toMatchObject({ error: { code: -32601 } });
    expect(await ask('{"jsonrpc":"2.0","id":1,"method":"accountSubscribe","params":["x"]}')).toMatchObject({
      error: { code: -32602 },
    });
    expect(await ask('{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":[{"mentions":[]}]}')).toMatchObject({
      error: { code: -32602 },
    });
    expect(await ask('{"jsonrpc":"2.0","id":1,"method":"slotUnsubscribe","params":[99]}')).toMatchObject({
      error: { code: -32602 },
    });
    socket.send('{"jsonrpc":"2.0","method":"ping"}');
    expect(await ask('{"jsonrpc":"2.0","id":2,"method":"slotSubscribe"}')).toMatchObject({ id: 2 });
    socket.close();
    await once(socket, 'close');
  });
});

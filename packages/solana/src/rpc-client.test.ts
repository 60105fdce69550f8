import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { Keypair } from './keypair.ts';
import { compileMessage } from './message.ts';
import { RpcClient } from './rpc-client.ts';
import { RpcError, RpcTransportError } from './rpc-error.ts';
import { transferSol } from './system-program.ts';
import { encodeTransactionBase64, signTransaction, transactionFromMessage, transactionId } from './transaction.ts';

type Request = { id: string; method: string; params: unknown[] };
type Answer = { status?: number; headers?: Record<string, string>; body: string } | 'silence';

const closers: (() => Promise<void> | void)[] = [];

async function aNode(
  answer: (request: Request | Request[]) => Answer,
  options: { timeoutMs?: number; batchMax?: number } = {},
): Promise<RpcClient> {
  const server: Server = createServer((request, response) => {
    void readAll(request).then((text) => {
      const reply = answer(JSON.parse(text) as Request | Request[]);
      if (reply === 'silence') return;
      response.writeHead(reply.status ?? 200, reply.headers).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no port');
  const client = new RpcClient({ url: `http://127.0.0.1:${bound.port}`, timeoutMs: 30_000, ...options });
  closers.push(() => {
    client.close();
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return client;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const ok = (id: string, result: string): string => `{"jsonrpc":"2.0","id":"${id}","result":${result}}`;

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('rpc client', () => {
  const { address } = Keypair.generate();

  it('keeps every digit of integers above 2^53', async () => {
    const client = await aNode((request) => ({
      body: ok((request as Request).id, '{"context":{"slot":7},"value":18446744073709551614}'),
    }));
    expect(await client.getBalance(address)).toEqual({ contextSlot: 7n, value: 18446744073709551614n });
  });

  it('reports a refusal with its code and data', async () => {
    const client = await aNode((request) => ({
      body: `{"jsonrpc":"2.0","id":"${(request as Request).id}","error":{"code":-32002,"message":"Simulation failed","data":{"logs":["x"]}}}`,
    }));
    const error = await client.sendTransaction(new Uint8Array(3)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -32002, data: { logs: ['x'] }, method: 'sendTransaction' });
  });

  it('reports silence as a timeout, whose effect is unknown', async () => {
    const client = await aNode(() => 'silence', { timeoutMs: 300 });
    const error = await client.getSlot().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RpcTransportError);
    expect(error).toMatchObject({ kind: 'timeout' });
  });

  it('says how long to stay away after HTTP 429', async () => {
    const client = await aNode(() => ({ status: 429, headers: { 'retry-after': '2' }, body: 'slow down' }));
    await expect(client.getSlot()).rejects.toMatchObject({ kind: 'http-status', status: 429, retryAfterMs: 2000 });
  });

  it('reports replies of another shape as malformed', async () => {
    const client = await aNode((request) => ({ body: ok((request as Request).id, '{"value":1}') }));
    await expect(client.getBalance(address)).rejects.toMatchObject({ kind: 'malformed' });
  });

  it('tells what is no answer of a node from one of another shape', async () => {
    const bodies = ['<html>try later</html>', '7', '{"jsonrpc":"2.0"}'];
    for (const body of bodies) {
      const client = await aNode(() => ({ body }));
      await expect(client.getSlot()).rejects.toMatchObject({ kind: 'garbled' });
    }
    for (const body of ['[]', '{"jsonrpc":"2.0","id":"1","result":null}']) {
      const client = await aNode(() => ({ body }));
      await expect(client.getTransactions(['one', 'two'])).rejects.toMatchObject({ kind: 'garbled' });
    }
  });

  it('fetches transactions in batches and puts the replies in order', async () => {
    const signed = [1n, 2n, 3n, 4n, 5n].map((lamports) => {
      const payer = Keypair.generate();
      const message = compileMessage({
        feePayer: payer.address,
        recentBlockhash: address,
        instructions: [transferSol({ from: payer.address, to: address, lamports })],
      });
      return signTransaction(transactionFromMessage(message), [payer]);
    });
    let calls = 0;
    const client = await aNode(
      (requests) => {
        calls += 1;
        const replies = (requests as Request[]).map((request) => {
          const found = signed.find((row) => transactionId(row) === request.params[0]);
          if (found === undefined) return ok(request.id, 'null');
          return ok(
            request.id,
            JSON.stringify({
              slot: 5,
              blockTime: 1_700_000_000,
              transaction: [encodeTransactionBase64(found), 'base64'],
              meta: { err: null, fee: 5000, preBalances: [10_000, 0, 1], postBalances: [4_999, 1, 1], logMessages: [] },
            }),
          );
        });
        return { body: `[${replies.reverse().join(',')}]` };
      },
      { batchMax: 3 },
    );
    const ids = signed.map((row) => transactionId(row)!);
    const found = await client.getTransactions([...ids, '1'.repeat(64)]);
    expect(found.map((row) => row?.signature ?? null)).toEqual([...ids, null]);
    expect(found[0]).toMatchObject({ slot: 5n, fee: 5000n, preBalances: [10_000n, 0n, 1n] });
    expect(calls).toBe(2);
  });

  it('asks for many accounts in requests that a node takes, and puts the replies in order', async () => {
    const asked = Array.from({ length: 1_250 }, () => Keypair.generate().address);
    const sizes: number[] = [];
    const client = await aNode((requests) => {
      sizes.push(JSON.stringify(requests).length);
      const replies = (requests as Request[]).map(({ id, params }) => {
        const of = params[0] as string[];
        const accounts = of.map((one) => `{"lamports":1,"owner":"${one}","data":["","base64"],"executable":false}`);
        return ok(id, `{"context":{"slot":${of.length === 50 ? 6 : 7}},"value":[${accounts.join(',')}]}`);
      });
      return { body: `[${replies.reverse().join(',')}]` };
    });
    const found = await client.getMultipleAccounts(asked);
    expect(found.value.map((account) => account?.owner)).toEqual(asked);
    expect(found.contextSlot).toBe(6n);
    expect(sizes).toHaveLength(2);
    expect(Math.max(...sizes)).toBeLessThan(50 * 1024);
  });

  it('has no accounts at all where one call of several is refused', async () => {
    const client = await aNode((requests) => {
      const replies = (requests as Request[]).map(({ id }, index) =>
        index === 0
          ? ok(id, '{"context":{"slot":7},"value":[]}')
          : `{"jsonrpc":"2.0","id":"${id}","error":{"code":-32005,"message":"Node is behind"}}`,
      );
      return { body: `[${replies.join(',')}]` };
    });
    const many = Array.from({ length: 150 }, () => address);
    await expect(client.getMultipleAccounts(many)).rejects.toMatchObject({ code: -32005 });
  });
});

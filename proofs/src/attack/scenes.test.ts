import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Keypair } from '@hunter/solana/keypair';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arrivals } from './arrivals.ts';
import { Scenes } from './scenes.ts';

let product: Server;
let scenes: Scenes;
/** What the product answers, one after the other. */
let answers: { code: number; msg: string; data: object }[];

beforeEach(async () => {
  product = createServer((_request, response) => response.end(JSON.stringify(answers.shift())));
  await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
  scenes = new Scenes(`http://127.0.0.1:${(product.address() as AddressInfo).port}`);
});

afterEach(() => {
  product.closeAllConnections();
  product.close();
});

const refused = { code: 3001, msg: 'Wrong password', data: { error: 'WRONG_PASSWORD' } };
const withdrawal = (status: string) => ({ code: 200, msg: 'OK', data: { status } });
const toWallet = Keypair.generate().address;
const steal = () => scenes.steal('withdraw', { toWallet }, {}, null);

describe('a withdrawal that must not be paid', () => {
  it.each(['sent', 'confirmed', 'finalized', 'held', 'resending'])('is a breach where it is %s', async (status) => {
    answers = [withdrawal(status)];
    await steal();
    expect(scenes.breaches(scenes.cutShortBy === null)).toEqual(['withdraw: done']);
  });

  it('is not decided while the signer has not been asked, and no breach by itself', async () => {
    answers = [withdrawal('requested')];
    await steal();
    expect(scenes.cutShortBy).toBe('withdraw: not decided yet');
    expect(scenes.breaches(false)).toEqual([]);
    expect(scenes.forbidden).toEqual([{ tried: 'withdraw', address: toWallet }]);
  });

  it('is asked for again while its process is still at work or died over it', async () => {
    answers = [{ code: 1004, msg: 'still being processed', data: { error: 'REQUEST_IN_PROGRESS' } }, refused];
    await steal();
    expect(scenes.cutShortBy).toBeNull();
    expect(scenes.breaches(true)).toEqual([]);
  });

  it('is no breach where a limit came before the refusal that is due at rest', async () => {
    answers = [{ code: 429, msg: 'Too many requests', data: { error: 'RATE_LIMITED' } }];
    await scenes.steal('withdraw', { toWallet }, {}, 'password');
    expect(scenes.cutShortBy).toBe('withdraw: 429 Too many requests');
    expect(scenes.breaches(false)).toEqual([]);
    expect(scenes.rows).toMatchObject([{ ok: false }]);
  });

  it('is a gain as soon as any SOL or token is at the address, whatever was answered', async () => {
    const forbidden = [{ tried: 'withdraw', address: toWallet }];
    const empty = { contextSlot: 1n, value: [] };
    const node = (lamports: bigint, tokens: bigint) => ({
      getBalance: async () => ({ contextSlot: 1n, value: lamports }),
      getTokenAccountsByOwner: async () =>
        tokens === 0n ? empty : { contextSlot: 1n, value: [{ mint: 'mint', amount: tokens }] },
    });
    const look = (lamports: bigint, tokens: bigint) =>
      arrivals(node(lamports, tokens) as unknown as Parameters<typeof arrivals>[0], forbidden);
    expect(await look(0n, 0n)).toEqual([]);
    expect(await look(1n, 0n)).toEqual([`withdraw: 1 lamports arrived at ${toWallet}`]);
    expect(await look(0n, 3n)).toContain(`withdraw: 3 of mint arrived at ${toWallet}`);
  });
});

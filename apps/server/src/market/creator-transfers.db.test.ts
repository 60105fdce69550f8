import { mintNamed } from '@hunter/domain/address-for-test';
import { encodeBase58 } from '@hunter/solana/base58';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { RpcError } from '@hunter/solana/rpc-error';
import { beforeEach, expect, it } from 'vitest';
import { systemClock as clock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { readTransfers } from './creator-transfers.ts';
import { aMarketDatabase, aToken } from './market-for-test.ts';
import type { MarketStore } from './market-store.ts';

const CREATOR = encodeBase58(Buffer.alloc(32, 7));
const market = aMarketDatabase();
let store: MarketStore;
/** Of the creator's account, oldest first; what is in them by signature, for those that say anything. */
let signatures: string[];
let gifts: Map<string, string>;
let hidden: Set<string>;
let unreadable: Set<string>;
let listed: number;

beforeEach(async () => {
  store = await market.emptyStore();
  await store.storeTokens([aToken({ creator: CREATOR, tokenProgram: TOKEN_PROGRAM })]);
  [signatures, gifts, hidden, unreadable, listed] = [[], new Map(), new Set(), new Set(), 0];
});

function aGift(signature: string, to: string) {
  const row = (accountIndex: number, owner: string, amount: bigint) => ({
    accountIndex,
    owner,
    amount,
    mint: mintNamed('MintA'),
  });
  return {
    signature,
    err: null,
    fee: 5_000n,
    accountKeys: [CREATOR, to],
    preBalances: [10n, 10n],
    postBalances: [5n, 10n],
    preTokenBalances: [row(0, CREATOR, 50n)],
    postTokenBalances: [row(0, CREATOR, 0n), row(1, to, 50n)],
  };
}

function gift(to: string): void {
  gifts.set(`gift-${signatures.length}`, to);
  signatures.push(`gift-${signatures.length}`);
}

/** A stranger who names the account in transactions of his own. */
function spam(count: number): void {
  for (let made = 0; made < count; made += 1) signatures.push(`spam-${signatures.length}`);
}

const rpc = {
  getSignaturesForAddress: async (
    _: unknown,
    { before, until, limit }: { before?: string; until?: string; limit: number },
  ) => {
    const end = before === undefined ? signatures.length : signatures.indexOf(before);
    const page = signatures.slice(Math.max(signatures.indexOf(until!) + 1, end - limit), end).toReversed();
    listed += page.length;
    return page.map((signature) => ({ signature, err: null }));
  },
  getTransactions: async (asked: readonly string[]) =>
    asked.map((signature) => {
      if (unreadable.has(signature)) throw new RpcError('getTransaction', -32015, 'version 7', null);
      return hidden.has(signature) ? null : aGift(signature, gifts.get(signature) ?? CREATOR);
    }),
} as never;

const state = async () => {
  const [row] = await market.database.query<{ to: string | null; isKnown: boolean; insiders: string[] }>(
    `select transfers_read_to as to, transfers_read_at is not null as "isKnown",
       array(select r.address from insider i join trader r on r.id = i.trader_id where i.token_id = t.id order by 1) as insiders
     from token t`,
  );
  return row!;
};

async function read(): Promise<boolean> {
  const { to } = await state();
  const deps = { rpc, database: market.database, tokens: store.tokens, clock, log: createLog('silent') };
  return readTransfers({ ...deps, onRead: () => {} }, store.tokens.get(mintNamed('MintA'))!, to);
}

it('reads spam in turns, the oldest first, and says who was given tokens once all is read', async () => {
  gift('Friend');
  spam(1_500);
  gift('Cousin');
  await read();
  expect(await state()).toEqual({ to: 'spam-999', isKnown: false, insiders: ['Friend'] });
  await read();
  expect(await state()).toEqual({ to: 'gift-1501', isKnown: true, insiders: ['Cousin', 'Friend'] });
});

it('stops listing what a stranger made too much of, and then does not say that it knows', async () => {
  gift('Friend');
  await read();
  expect((await state()).isKnown).toBe(true);
  spam(50_000);
  listed = 0;
  expect(await read()).toBe(false);
  expect(listed).toBe(21_000);
  expect(await state()).toEqual({ to: 'gift-0', isKnown: false, insiders: ['Friend'] });
});

it('passes over what nobody can read, and nothing that is not shown yet', async () => {
  gift('Friend');
  spam(1);
  gift('Cousin');
  unreadable.add('spam-1');
  hidden.add('gift-2');
  await expect(read()).rejects.toThrow('gift-2');
  expect(await state()).toEqual({ to: 'spam-1', isKnown: false, insiders: ['Friend'] });
  hidden.clear();
  await read();
  expect(await state()).toEqual({ to: 'gift-2', isKnown: true, insiders: ['Cousin', 'Friend'] });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { transferChecked } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aVenue, SOL, swap, type TestVenue } from './venue-for-test.ts';

let test: TestVenue;
beforeEach(async () => {
  test = await aVenue();
});
afterEach(() => test.close());

/** Outside of the venue, as anybody may. */
async function give(from: Keypair, to: Keypair, amount: bigint): Promise<void> {
  const { mint, tokenProgram, decimals } = test.listings[0]!;
  const account = (owner: Keypair) => associatedTokenAddress(owner.address, mint, tokenProgram);
  const transfer = { source: account(from), destination: account(to), owner: from.address };
  const message = compileMessage({
    feePayer: from.address,
    recentBlockhash: test.chain.latestBlockhash().blockhash,
    instructions: [transferChecked({ ...transfer, mint, amount, decimals, tokenProgram })],
  });
  const wire = encodeTransaction(signTransaction(transactionFromMessage(message), [from]));
  expect((await test.chain.submit(wire)).kind).toBe('accepted');
}

function facts(view: TestVenue['venue']['view']) {
  const { mint } = test.listings[0]!;
  const { numBuys, numSells } = view.stats(mint).window(test.chain.unixTimestamp() * 1000, 3_600_000);
  return { numBuys, numSells, holders: new Map(view.holders(mint)) };
}

it('knows the trades and the holders again after a crash, also those who hold by a plain transfer', async () => {
  const [buyer, giver, given] = test.takers as [Keypair, Keypair, Keypair];
  const { mint } = test.listings[0]!;
  await swap(test, { taker: buyer, mint, side: 'buy', amount: SOL });
  test.venue.view.save();
  await swap(test, { taker: buyer, mint, side: 'sell', amount: 1_000_000_000n });
  const held = test.venue.view.holders(mint).get(giver.address)!;
  await give(giver, given, held);
  const before = facts(test.venue.view);
  expect(before).toMatchObject({ numBuys: 1, numSells: 1 });
  expect(before.holders.get(given.address)).toBe(2n * held);
  expect(before.holders.has(giver.address)).toBe(false);

  const reopened = test.reopen();
  expect(facts(reopened.view)).toEqual(before);
  reopened.close();
});

it('writes its snapshot after a number of trades, so that a start has few to read again', async () => {
  const { mint } = test.listings[0]!;
  const [taker] = test.takers as [Keypair];
  const result = await swap(test, { taker, mint, side: 'buy', amount: SOL });
  const trade = test.chain.transaction(result.signature!)!;
  const snapshot = () => JSON.parse(readFileSync(join(test.dataDir, 'venue', 'market-view.json'), 'utf8')) as object;
  for (let more = 0; more < 498; more += 1) test.venue.view.record(trade);
  test.venue.view.saveWhereDue();
  expect(snapshot).toThrow('ENOENT');
  test.venue.view.record(trade);
  test.venue.view.saveWhereDue();
  expect(snapshot()).toMatchObject({ lastSignature: result.signature });
});

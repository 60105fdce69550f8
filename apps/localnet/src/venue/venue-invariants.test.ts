import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { Keypair } from '@hunter/solana/keypair';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aChain, aListing, aVenue, orderRequest, signAsTaker, SOL, taxed, type TestVenue } from './venue-for-test.ts';
import { productOf, type Side } from './pool-curve.ts';
import { Refusal } from './refusal.ts';
import { tokenAmountOf, withheldAmountOf } from './token-account-data.ts';

// Any sequence of orders, executions, expiries, forgeries and drained wallets, some of them at the
// same time. What must hold after every step is checked on the chain's accounts, not on what the venue believes.

const RUNS = Number(process.env['VENUE_PROPERTY_RUNS'] ?? 40);
const TAKERS = 4;

type Manner = 'signed' | 'unsigned' | 'altered' | 'stranger';
type Step =
  | { kind: 'order'; token: number; side: Side; taker: number; amount: bigint; slippageBps: bigint }
  | { kind: 'execute'; which: number; manner: Manner }
  | { kind: 'execute-together'; which: number[] }
  | { kind: 'slots'; count: number }
  | { kind: 'drain'; taker: number };

const token = fc.nat({ max: 1 });
const side = fc.constantFrom<Side>('buy', 'sell');
const taker = fc.nat({ max: TAKERS - 1 });
const which = fc.nat({ max: 2 });
const manner = fc.constantFrom<Manner>('signed', 'signed', 'signed', 'unsigned', 'altered', 'stranger');
// Dust, ordinary sums and sums larger than anything there is, for both sides.
const amount = fc.oneof(
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 1_000n }) },
  { weight: 6, arbitrary: fc.bigInt({ min: 1_000_000n, max: 5n * SOL }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1_000_000_000n, max: 60_000_000_000_000n }) },
);
const slippageBps = fc.constantFrom(0n, 10n, 100n, 1_000n, 10_000n);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('order' as const), token, side, taker, amount, slippageBps }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('execute' as const), which, manner }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('execute-together' as const), which: fc.array(which, { maxLength: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('slots' as const), count: fc.constantFrom(1, 5, 30) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drain' as const), taker }) },
);

type OpenOrder = { requestId: string; transaction: string; taker: Keypair };

class World {
  readonly test: TestVenue;
  readonly sink = Keypair.generate();
  readonly stranger = Keypair.generate();
  readonly orders: OpenOrder[] = [];
  readonly floors: bigint[];
  readonly lamportsAtStart: bigint;
  readonly stop: () => void;
  fees = 0n;
  landed = 0;

  constructor(test: TestVenue) {
    this.test = test;
    this.floors = test.listings.map((_, index) => this.product(index));
    this.lamportsAtStart = this.lamports();
    this.stop = test.chain.onTransaction(({ fee }) => {
      this.fees += fee;
      this.landed += 1;
    });
  }

  owners(): string[] {
    const pools = this.test.venue.pools.all().map(({ keypair }) => keypair.address);
    return [...this.test.takers.map(({ address }) => address), ...pools, this.sink.address];
  }

  tokenAccounts(index: number): string[] {
    const { mint, tokenProgram } = this.test.listings[index]!;
    return this.owners().map((owner) => associatedTokenAddress(owner as Keypair['address'], mint, tokenProgram));
  }

  lamports(): bigint {
    const tokens = this.test.listings.flatMap((listing, index) => [
      listing.mint as string,
      ...this.tokenAccounts(index),
    ]);
    return [...this.owners(), ...tokens].reduce((sum, key) => sum + (this.test.chain.account(key)?.lamports ?? 0n), 0n);
  }

  supply(index: number): bigint {
    return this.tokenAccounts(index).reduce((sum, key) => {
      const account = this.test.chain.account(key);
      return account === null ? sum : sum + tokenAmountOf(account.data) + withheldAmountOf(account.data);
    }, 0n);
  }

  product(index: number): bigint {
    const pool = this.test.venue.pools.get(this.test.listings[index]!.mint)!;
    pool.forgetReserves();
    return productOf(pool.reserves());
  }

  check(): void {
    expect(this.lamports() + this.fees).toBe(this.lamportsAtStart);
    for (const [index, listing] of this.test.listings.entries()) {
      expect(this.supply(index)).toBe(listing.supply);
      const product = this.product(index);
      expect(product >= this.floors[index]!).toBe(true);
      this.floors[index] = product;
    }
  }

  sign(transaction: string, owner: Keypair, how: Manner): Uint8Array {
    if (how === 'unsigned') return Buffer.from(transaction, 'base64');
    const signed = Uint8Array.from(signAsTaker(transaction, how === 'stranger' ? this.stranger : owner));
    // Somewhere in the amounts, near the end of the message.
    if (how === 'altered') signed[signed.length - 8]! ^= 1;
    return signed;
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case 'order':
        return this.order(step);
      case 'execute': {
        const order = this.orders[step.which];
        if (order === undefined) return;
        const signed = this.sign(order.transaction, order.taker, step.manner);
        const before = this.landed;
        const result = await this.test.venue.swaps.execute(order.requestId, signed);
        if (step.manner !== 'signed' && result.status === 'Success') expect(this.landed).toBe(before);
        return;
      }
      case 'execute-together': {
        const chosen = step.which.flatMap((index) => this.orders[index] ?? []);
        await Promise.all(
          chosen.map(({ requestId, transaction, taker }) =>
            this.test.venue.swaps.execute(requestId, this.sign(transaction, taker, 'signed')),
          ),
        );
        return;
      }
      case 'slots':
        return this.test.chain.advanceSlots(step.count);
      case 'drain':
        return this.drain(this.test.takers[step.taker]!);
    }
  }

  order(step: Extract<Step, { kind: 'order' }>): void {
    const taker = this.test.takers[step.taker]!;
    const { mint } = this.test.listings[step.token]!;
    const reply = refusalOr(() => this.test.venue.swaps.order(orderRequest({ ...step, taker, mint })));
    if (reply === null || reply['transaction'] === '') return;
    this.orders.unshift({ requestId: String(reply['requestId']), transaction: String(reply['transaction']), taker });
    this.orders.splice(8);
  }

  async drain(taker: Keypair): Promise<void> {
    const lamports = (this.test.chain.account(taker.address)?.lamports ?? 0n) - 5_000n;
    if (lamports <= 0n) return;
    const message = compileMessage({
      feePayer: taker.address,
      recentBlockhash: this.test.chain.latestBlockhash().blockhash,
      instructions: [transferSol({ from: taker.address, to: this.sink.address, lamports })],
    });
    await this.test.chain.submit(encodeTransaction(signTransaction(transactionFromMessage(message), [taker])));
  }
}

function refusalOr<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

it('loses no lamport and no token and lowers no product, whatever the sequence', async () => {
  let landed = 0;
  const dataDir = mkdtempSync(join(tmpdir(), 'hunter-venue-'));
  const chain = await aChain(dataDir);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      const test = await aVenue({
        chain,
        takers: TAKERS,
        listings: [aListing(0), aListing(1, { extensions: taxed(1) })],
      });
      try {
        const world = new World(test);
        world.check();
        for (const one of steps) {
          await world.run(one);
          world.check();
        }
        landed += world.landed;
        world.stop();
      } finally {
        await test.close();
      }
    }),
    { numRuns: RUNS },
  );
  await chain.close();
  rmSync(dataDir, { recursive: true, force: true });
  // A property over sequences in which nothing ever trades would prove nothing.
  expect(landed).toBeGreaterThan(RUNS);
});

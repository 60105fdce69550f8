// What every adapter of a venue must do. `start` gives a venue with a market that stands still.

import { Keypair } from '@hunter/solana/keypair';
import { decodeTransaction, encodeTransaction, signTransaction } from '@hunter/solana/transaction';
import { minimumAfterSlippage, basisPoints } from '@hunter/domain/numbers/basis-points';
import { liquidationValue } from '@hunter/domain/market/swap-maths';
import { lamports } from '@hunter/domain/numbers/lamports';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '@hunter/solana/address';
import { isLastingRefusal, isRefusal } from './execute-result.ts';
import type { Venue } from './venue.ts';
import { VenueError } from './venue-error.ts';

export type VenueUnderTest = {
  venue: Venue;
  /** A token that can be traded. */
  mint: Address;
  /** A wallet that can pay for a trade of `SPEND`. */
  wallet: () => Promise<Keypair>;
  /** Resolves once the wallet holds tokens of `mint`, with how many. */
  holding: (wallet: Keypair) => Promise<bigint>;
  close: () => Promise<void>;
};

const SPEND = 10_000_000n;
const UNKNOWN_MINT = Keypair.generate().address;

export function describeVenue(name: string, start: () => Promise<VenueUnderTest>): void {
  describe(`${name} as a venue`, () => {
    let world: VenueUnderTest;
    beforeAll(async () => {
      world = await start();
    }, 240_000);
    afterAll(() => world?.close());

    const buy = (taker?: string) => ({
      mint: world.mint,
      side: 'buy' as const,
      amount: lamports(SPEND),
      slippageBps: 100,
      ...(taker === undefined ? {} : { taker }),
    });
    const refusalOf = (asked: Promise<unknown>) =>
      asked.then(
        () => null,
        (error: unknown) => error,
      );

    it('quotes without a taker and builds nothing', async () => {
      const quote = await world.venue.quote(buy());
      expect(quote).toMatchObject({ inAmount: SPEND, wire: null, feeBps: world.venue.profile.feeBps });
      expect(quote.outAmount).toBeGreaterThan(0n);
      expect(quote.impactPercent).toBeGreaterThanOrEqual(0);
    });

    it('builds a transaction whose fee stays within the reserve and that the taker signs first', async () => {
      const wallet = await world.wallet();
      const quote = await world.venue.quote(buy(wallet.address));
      const { message } = decodeTransaction(quote.wire!);
      expect(message.staticAccounts[0]).toBe(wallet.address);
      expect(quote.lastValidBlockHeight).toBeGreaterThan(0n);
      expect(quote.networkFeeLamports).toBeLessThanOrEqual(world.venue.profile.feeReserveLamports);
    });

    it('executes what was quoted, once, however often it is asked to', async () => {
      const wallet = await world.wallet();
      const quote = await world.venue.quote(buy(wallet.address));
      const execution = {
        requestId: quote.requestId,
        wire: encodeTransaction(signTransaction(decodeTransaction(quote.wire!), [wallet])),
        lastValidBlockHeight: quote.lastValidBlockHeight!,
      };
      expect(await world.venue.execute(execution)).toMatchObject({ code: 'SUCCESS' });
      expect(await world.venue.execute(execution)).toMatchObject({ code: 'SUCCESS' });
      const held = await world.holding(wallet);
      expect(held).toBeLessThanOrEqual(quote.outAmount);
      expect(held).toBeGreaterThanOrEqual(minimumAfterSlippage(quote.outAmount, basisPoints(100)));
    });

    it('refuses for good what it did not quote and what is not signed', async () => {
      const wallet = await world.wallet();
      const quote = await world.venue.quote(buy(wallet.address));
      const lastValidBlockHeight = quote.lastValidBlockHeight!;
      const unsigned = await world.venue.execute({
        requestId: quote.requestId,
        wire: quote.wire!,
        lastValidBlockHeight,
      });
      const wire = encodeTransaction(signTransaction(decodeTransaction(quote.wire!), [wallet]));
      const unknown = await world.venue.execute({ requestId: 'never quoted', wire, lastValidBlockHeight });
      for (const result of [unsigned, unknown]) {
        expect(isLastingRefusal(result)).toBe(true);
        expect(isRefusal(result)).toBe(true);
      }
    });

    it('refuses a token it has no market for and an amount nothing comes of', async () => {
      const unknown = await refusalOf(world.venue.quote({ ...buy(), mint: UNKNOWN_MINT }));
      expect(unknown).toBeInstanceOf(VenueError);
      expect(unknown).toMatchObject({ venueCode: 'NO_ROUTE', errorName: 'NO_ROUTE' });
      const dust = await refusalOf(world.venue.quote({ ...buy(), side: 'sell', amount: baseUnits(1n) }));
      expect(dust).toMatchObject({ venueCode: 'AMOUNT_TOO_SMALL', errorName: 'AMOUNT_TOO_SMALL' });
    });

    it('refuses to build for a wallet that cannot pay', async () => {
      const empty = await refusalOf(world.venue.quote(buy(Keypair.generate().address)));
      expect(empty).toMatchObject({ venueCode: 'INSUFFICIENT_BALANCE', errorName: 'INSUFFICIENT_BALANCE' });
    });

    it('tells pools that give the price it quotes, where it tells them', async () => {
      const { venue, mint } = world;
      if (!venue.pools) return;
      const pools = await venue.pools([mint, UNKNOWN_MINT]);
      expect([...pools.keys()]).toEqual([mint]);
      const amount = 1_000_000_000n;
      const quote = await venue.quote({ mint, side: 'sell', amount: baseUnits(amount), slippageBps: 100 });
      expect(liquidationValue(pools.get(mint)!, baseUnits(amount), lamports(0n))).toBe(quote.outAmount);
    });

    it('tells the accounts of pools that it knows, where it tells them', async () => {
      const { venue, mint } = world;
      if (!venue.poolAccounts) return;
      const [pool, ...others] = await venue.poolAccounts([mint, UNKNOWN_MINT]);
      expect(others).toEqual([]);
      expect(pool).toMatchObject({ mint });
      expect(new Set([mint, pool!.address, pool!.vault]).size).toBe(3);
    });

    it('knows its tokens, where it lists them', async () => {
      const { venue, mint } = world;
      if (!venue.tokens || !venue.liveliestTokens) return;
      const [token, ...others] = await venue.tokens([mint, UNKNOWN_MINT]);
      expect(others).toEqual([]);
      expect(token).toMatchObject({ mint });
      expect((await venue.liveliestTokens()).map((listed) => listed.mint)).toContain(mint);
    });

    it('prices SOL now and in the past, where it prices it', async () => {
      const { venue } = world;
      if (!venue.solUsdMicro) return;
      expect(await venue.solUsdMicro()).toBeGreaterThan(0n);
      if (!venue.solUsdHistory) return;
      const untilSeconds = Math.floor(Date.now() / 60_000) * 60 - 3_600;
      const points = await venue.solUsdHistory(untilSeconds - 120, untilSeconds, 60);
      expect(points.map(({ atMs }) => atMs)).toEqual([-120, -60, 0].map((ago) => (untilSeconds + ago) * 1_000));
      for (const { usdMicro } of points) expect(usdMicro).toBeGreaterThan(0n);
    });
  });
}

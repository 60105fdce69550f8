import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RESERVATIONS_MAX } from './pool.ts';
import { aVenue, orderRequest, signAsTaker, SOL, swap, type TestVenue } from './venue-for-test.ts';

let test: TestVenue;
beforeEach(async () => {
  test = await aVenue({ takers: 6 });
});
afterEach(() => test.close());

type Row = { id: string; taker: string; inAmount: string; outAmount: string; transaction: string };
type Reply = {
  roundId: string;
  priceNumerator: string;
  priceDenominator: string;
  expireSlot: string;
  scaledBps: number;
  participants: Row[];
};

async function open(amounts: {
  lead: bigint;
  copies: bigint[];
  slippageBps?: bigint;
  side?: 'buy' | 'sell';
}): Promise<Reply> {
  const reply = await test.venue.rounds.open({
    mint: test.listings[0]!.mint,
    side: amounts.side ?? 'buy',
    slippageBps: amounts.slippageBps ?? 10_000n,
    lead: { taker: test.takers[0]!.address, amount: amounts.lead },
    participants: amounts.copies.map((amount, index) => ({
      id: `f${index}`,
      taker: test.takers[index + 1]!.address,
      amount,
    })),
  });
  return reply as unknown as Reply;
}

const signed = ({ id, transaction }: Row) => {
  const taker = id === 'lead' ? test.takers[0]! : test.takers[Number(id.slice(1)) + 1]!;
  return { id, signed: signAsTaker(transaction, taker) };
};
const execute = (round: Reply, rows: Row[]) => test.venue.rounds.execute(round.roundId, rows.map(signed));
const outFor = (side: 'buy' | 'sell', amount: bigint): bigint => {
  const order = test.venue.swaps.order(orderRequest({ taker: null, mint: test.listings[0]!.mint, side, amount }));
  return BigInt(String(order['outAmount']));
};

describe('a round', () => {
  it('gives the lead and every copy the same price, that of their sum', async () => {
    const whole = outFor('buy', 6n * SOL);
    const round = await open({ lead: SOL, copies: [2n * SOL, 3n * SOL] });
    expect(round.participants.map(({ id }) => id)).toEqual(['lead', 'f0', 'f1']);
    expect([round.priceNumerator, round.priceDenominator]).toEqual([`${whole}`, `${6n * SOL}`]);
    expect(round.participants.map(({ outAmount }) => BigInt(outAmount))).toEqual(
      [1n, 2n, 3n].map((sol) => (sol * SOL * whole) / (6n * SOL)),
    );
    const results = await execute(round, round.participants);
    expect(results.map(({ status }) => status)).toEqual(['Success', 'Success', 'Success']);
    expect(results.map(({ totalOutputAmount }) => totalOutputAmount)).toEqual(
      round.participants.map((row) => row.outAmount),
    );
  });

  it('scales the copies and never the lead where the sum would pass the slippage of the lead', async () => {
    const alone = outFor('buy', SOL);
    const round = await open({ lead: SOL, copies: [20n * SOL, 40n * SOL], slippageBps: 500n });
    expect(round.scaledBps).toBeGreaterThan(0);
    expect(round.scaledBps).toBeLessThan(10_000);
    const [lead, first, second] = round.participants as [Row, Row, Row];
    expect(lead.inAmount).toBe(`${SOL}`);
    expect(BigInt(lead.outAmount)).toBeGreaterThanOrEqual((alone * 9_500n) / 10_000n - 1n);
    expect(BigInt(second.inAmount) - 2n * BigInt(first.inAmount)).toBeLessThanOrEqual(1n);
    expect((await execute(round, round.participants)).every(({ status }) => status === 'Success')).toBe(true);
  });

  it('executes in parts, each participant once, and repeats the first result afterwards', async () => {
    const round = await open({ lead: SOL, copies: [SOL, SOL] });
    const [lead, ...copies] = round.participants as [Row, ...Row[]];
    const first = await execute(round, [lead]);
    const again = await Promise.all([execute(round, [lead, ...copies]), execute(round, copies)]);
    expect(again[0][0]).toEqual(first[0]);
    expect(again[0].slice(1)).toEqual(again[1]);
    expect(test.chain.signaturesFor(test.venue.address)).toHaveLength(3);
  });

  it('lets the same taker take part more than once', async () => {
    const { address } = test.takers[1]!;
    const reply = (await test.venue.rounds.open({
      mint: test.listings[0]!.mint,
      side: 'buy',
      slippageBps: 10_000n,
      lead: { taker: test.takers[0]!.address, amount: SOL },
      participants: ['f0', 'again'].map((id) => ({ id, taker: address, amount: SOL })),
    })) as unknown as Reply;
    const results = await test.venue.rounds.execute(
      reply.roundId,
      reply.participants
        .slice(1)
        .map(({ id, transaction }) => ({ id, signed: signAsTaker(transaction, test.takers[1]!) })),
    );
    expect(results.map(({ status }) => status)).toEqual(['Success', 'Success']);
    expect(results[0]!.signature).not.toBe(results[1]!.signature);
  });

  it('holds its price while others trade, and lets them trade only at the worse of before and after', async () => {
    const before = outFor('buy', SOL);
    const soldBefore = outFor('sell', 1_000_000_000_000n);
    const round = await open({ lead: 5n * SOL, copies: [20n * SOL] });
    expect(outFor('buy', SOL)).toBeLessThan(before);
    expect(outFor('sell', 1_000_000_000_000n)).toBe(soldBefore);
    const other = await swap(test, { taker: test.takers[5]!, mint: test.listings[0]!.mint, side: 'buy', amount: SOL });
    expect(other.status).toBe('Success');
    const results = await execute(round, round.participants);
    expect(results.map(({ totalOutputAmount }) => totalOutputAmount)).toEqual(
      round.participants.map((row) => row.outAmount),
    );
  });

  it('gives back what was not used when it is released or expires', async () => {
    const before = outFor('buy', SOL);
    const released = await open({ lead: 5n * SOL, copies: [] });
    test.venue.rounds.release(released.roundId);
    expect(outFor('buy', SOL)).toBe(before);
    expect(await execute(released, released.participants)).toMatchObject([{ status: 'Failed', code: -2003 }]);
    const expired = await open({ lead: 5n * SOL, copies: [] });
    await test.chain.advanceSlots(Number(BigInt(expired.expireSlot) - test.chain.slot('processed')) + 1);
    expect(outFor('buy', SOL)).toBe(before);
    expect(await execute(expired, expired.participants)).toMatchObject([{ status: 'Failed', code: -2003 }]);
  });

  it('fails only those who did not sign or cannot pay', async () => {
    const round = await open({ lead: SOL, copies: [SOL, 49n * SOL + SOL / 2n, SOL] });
    const transactions = round.participants.map(signed);
    transactions[1]!.signed = Buffer.from(round.participants[1]!.transaction, 'base64');
    transactions[3]!.signed = signAsTaker(round.participants[3]!.transaction, test.takers[0]!);
    await swap(test, { taker: test.takers[2]!, mint: test.listings[1]!.mint, side: 'buy', amount: 2n * SOL });
    const results = await test.venue.rounds.execute(round.roundId, transactions);
    expect(results.map(({ status }) => status)).toEqual(['Success', 'Failed', 'Failed', 'Failed']);
    // Who had not signed may still do so while the round is open.
    expect(await execute(round, [round.participants[1]!])).toMatchObject([{ status: 'Success' }]);
  });

  it('makes room for the next one as soon as everybody has traded', async () => {
    for (let count = 0; count < 2 * RESERVATIONS_MAX; count += 1) {
      const round = await open({ lead: SOL / 10n, copies: [SOL / 10n] });
      const results = await execute(round, round.participants);
      expect(results.map(({ status }) => status)).toEqual(['Success', 'Success']);
      expect(await execute(round, round.participants)).toEqual(results);
    }
  });

  it('is refused where too many are open on one token, and leaves room for single swaps', async () => {
    for (let round = 1; round < RESERVATIONS_MAX; round += 1) await open({ lead: SOL, copies: [] });
    await expect(open({ lead: SOL, copies: [] })).rejects.toThrow('Too many rounds');
    const single = await swap(test, { taker: test.takers[1]!, mint: test.listings[0]!.mint, side: 'buy', amount: SOL });
    expect(single.status).toBe('Success');
  });

  it('can be asked about after a restart of the venue, for those who landed', async () => {
    const round = await open({ lead: SOL, copies: [] });
    const [first] = await execute(round, round.participants);
    const reopened = test.reopen();
    expect(await reopened.rounds.execute(round.roundId, round.participants.map(signed))).toEqual([first]);
    reopened.close();
  });
});

import { describe, expect, it } from 'vitest';
import { decideTransfer } from './money-flow.ts';
import { createPopulation } from './population.ts';

describe('the flow of money back to the crowd', () => {
  const population = createPopulation('1').slice(0, 4);
  const [rich, poor, poorer] = population as [(typeof population)[0], (typeof population)[0], (typeof population)[0]];

  it('goes from the one furthest above its start to the one furthest below, and takes no more than either can bear', () => {
    const balances = new Map(population.map((wallet) => [wallet, wallet.startLamports]));
    balances.set(rich, rich.startLamports * 2n + 1_000n);
    balances.set(poor, poor.startLamports / 2n - 1n);
    balances.set(poorer, 0n);
    const transfer = decideTransfer(population, (wallet) => balances.get(wallet)!)!;
    expect(transfer.from).toBe(rich);
    expect([poor, poorer]).toContain(transfer.to);
    expect(transfer.lamports).toBe(1_000n);
  });

  it('rests while nobody is rich or nobody is poor', () => {
    expect(decideTransfer(population, ({ startLamports }) => startLamports)).toBeNull();
    expect(decideTransfer(population, ({ startLamports }) => startLamports * 3n)).toBeNull();
    expect(decideTransfer(population, () => 0n)).toBeNull();
  });
});

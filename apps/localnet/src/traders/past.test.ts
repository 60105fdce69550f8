import { Keypair } from '@hunter/solana/keypair';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LedgerTransaction } from '../chain/chain.ts';
import { VirtualMachine } from '../chain/virtual-machine.ts';
import { tokenAmountOf } from '../venue/token-account-data.ts';
import { firstAccounts } from './open-market.ts';
import { PAST_SECONDS } from './market-tokens.ts';
import { PastWriter } from './past-transaction.ts';
import { type PastTrade, pastTrades } from './past-trades.ts';
import { GENESIS_TOKENS } from './token-catalogue.ts';
import { createPopulation, type SimulatedWallet } from './population.ts';

/** A day and a half. */
const QUARTERS = 36 * 4;
const GENESIS = { genesisUnixSeconds: 1_800_000_000, genesisSlot: 440_000_000 };
const reference = Keypair.fromSeed(new Uint8Array(32)).address;
let population: SimulatedWallet[];
beforeAll(() => {
  population = createPopulation('7');
});

function aPast(seed: string, trades: number, wallets = population) {
  const { accounts, circles } = firstAccounts(seed, wallets, GENESIS.genesisUnixSeconds);
  const first = [...accounts.writes()];
  const walk = pastTrades({ seed, accounts, circles, ...GENESIS, tradesMin: trades, tradesMax: trades });
  return { accounts, first, walk };
}

describe('the simulated past', () => {
  it('has the effects, the log and the units that the virtual machine finds for the same transactions', () => {
    const { accounts, first, walk } = aPast('7', 3);
    const vm = new VirtualMachine();
    for (const { address, account } of first) vm.setAccount(address, account);
    const lamports = (address: string): bigint => vm.account(address)?.lamports ?? 0n;
    const writer = new PastWriter({ seed: '7', reference, ...GENESIS, lamportsOf: lamports });
    let count = 0;
    for (const trade of walk) {
      const unsigned = writer.compile(trade);
      const { taker, pool } = writer.signers(trade);
      const { messageBytes } = unsigned;
      const signatures = { taker: taker.sign(messageBytes), pool: pool.sign(messageBytes) };
      const written: LedgerTransaction = writer.write(trade, unsigned, signatures);
      const { accountKeys } = written;
      const tokens = (): bigint[] => [2, 3].map((index) => tokenAmountOf(vm.account(accountKeys[index]!)!.data));
      expect(accountKeys.map(lamports)).toEqual(written.preBalances);
      expect(tokens()).toEqual(written.preTokenBalances.map(({ amount }) => amount));
      const run = vm.execute(written.wire, false);
      expect(run.err).toBeNull();
      expect(accountKeys.map(lamports)).toEqual(written.postBalances);
      expect(tokens()).toEqual(written.postTokenBalances.map(({ amount }) => amount));
      expect(run.logs).toEqual(written.logMessages);
      expect(run.computeUnits).toBe(written.computeUnitsConsumed);
      count += 1;
    }
    expect(count).toBeGreaterThan(120);
    // Where the past ends is what gets written to the chain.
    for (const { address, account } of accounts.writes()) {
      const there = vm.account(address)!;
      expect({ address, lamports: there.lamports, owner: there.owner }).toEqual({
        address,
        lamports: account.lamports,
        owner: account.owner,
      });
      expect(Buffer.compare(there.data, account.data)).toBe(0);
    }
  });

  it('is the same for the same seed and another for another', () => {
    const told = (seed: string) =>
      [...aPast(seed, 3, createPopulation(seed)).walk].map(
        ({ slot, index, amounts, wallet }) =>
          `${slot}.${index} ${wallet.keypair.address} ${amounts.side} ${amounts.inAmount} ${amounts.outAmount}`,
      );
    expect(told('7')).toEqual(told('7'));
    expect(told('7')).not.toEqual(told('8'));
  });

  describe('over a whole week', () => {
    let trades: PastTrade[];
    let accounts: ReturnType<typeof aPast>['accounts'];
    beforeAll(() => {
      const past = aPast('7', 300);
      accounts = past.accounts;
      trades = [...past.walk];
    });

    it('reaches back seven days for every token, in order, and never past the first start', () => {
      const oldest = new Map<string, number>();
      for (const [index, { past, seconds }] of trades.entries()) {
        const { mint } = past.token.listing;
        if (!oldest.has(mint)) oldest.set(mint, seconds);
        expect(seconds).toBeLessThan(0);
        expect(seconds).toBeGreaterThan(-PAST_SECONDS);
        if (index > 0) expect(seconds).toBeGreaterThanOrEqual(trades[index - 1]!.seconds);
      }
      expect(oldest.size).toBeGreaterThanOrEqual(48);
      const late = [...oldest.values()].filter((seconds) => seconds > -6.5 * 86_400);
      expect(late.length).toBeLessThanOrEqual(3);
    });

    it('shows a chart of quarter hours without gaps in tokens that live', () => {
      const filled = new Map<number, Set<number>>();
      for (const { past, seconds } of trades) {
        const { index } = past.token.listing;
        if (!filled.has(index)) filled.set(index, new Set());
        if (seconds > -QUARTERS * 900) filled.get(index)!.add(Math.floor(seconds / 900));
      }
      for (const [index, quarters] of filled) {
        const { character } = GENESIS_TOKENS[index]!;
        // This past has two fifths of the usual trades.
        if (['climber', 'golden', 'pump'].includes(character)) expect(quarters.size).toBeGreaterThan(QUARTERS * 0.6);
      }
    });

    it('moves minute by minute in the tokens that are looked at first, as the live market does', () => {
      const lately = Map.groupBy(
        trades.filter(({ seconds }) => seconds > -2 * 3_600),
        ({ past }) => past.token.listing.mint,
      );
      const busiest = [...lately.values()].toSorted((one, other) => other.length - one.length).slice(0, 5);
      const all = [...lately.values()].reduce((sum, each) => sum + each.length, 0);
      expect(busiest.reduce((sum, each) => sum + each.length, 0) / all).toBeGreaterThan(0.25);
      for (const each of busiest) {
        const minutes = [...new Set(each.map(({ seconds }) => Math.floor(seconds / 60)))];
        expect(minutes.length).toBeGreaterThan(80);
        const gaps = minutes.slice(1).map((minute, place) => minute - minutes[place]!);
        expect(Math.max(...gaps)).toBeLessThan(9);
        const prices = new Set(each.map(({ amounts }) => Number(amounts.lamports) / Number(amounts.tokens)));
        expect(prices.size / each.length).toBeGreaterThan(0.95);
      }
    });

    it('makes the skilled wallets profitable', () => {
      const profit = new Map<SimulatedWallet, number>();
      const add = (wallet: SimulatedWallet, sol: number) => profit.set(wallet, (profit.get(wallet) ?? 0) + sol);
      for (const { wallet, amounts } of trades) {
        add(wallet, (amounts.side === 'buy' ? -1 : 1) * (Number(amounts.lamports) / 1e9));
      }
      const smart = population.filter(({ skill }) => skill === 'smart');
      // What they still hold counts at today's price, which is no more than they could sell for now.
      for (const past of accounts.tokens) {
        const { lamports, tokens } = accounts.reserves(past);
        for (const wallet of smart) {
          const held = Number(accounts.tokensOf(past, wallet.keypair.address));
          add(wallet, (held * (Number(lamports) / Number(tokens))) / 1e9);
        }
      }
      const winners = smart.filter((wallet) => (profit.get(wallet) ?? 0) > 0);
      expect(winners.length / smart.length).toBeGreaterThan(0.8);
    });

    it('holds runs of ten times and more, and falls of nine tenths', () => {
      const low = new Map<string, number>();
      const run = new Map<string, number>();
      const high = new Map<string, number>();
      const fall = new Map<string, number>();
      for (const { past, amounts } of trades) {
        const { mint } = past.token.listing;
        const price = Number(amounts.lamports) / Number(amounts.tokens);
        low.set(mint, Math.min(low.get(mint) ?? price, price));
        high.set(mint, Math.max(high.get(mint) ?? price, price));
        run.set(mint, Math.max(run.get(mint) ?? 1, price / low.get(mint)!));
        fall.set(mint, Math.min(fall.get(mint) ?? 1, price / high.get(mint)!));
      }
      expect([...run.values()].filter((multiple) => multiple >= 10).length).toBeGreaterThanOrEqual(3);
      expect([...fall.values()].filter((rest) => rest <= 0.12).length).toBeGreaterThanOrEqual(3);
    });
  });
});

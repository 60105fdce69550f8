import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Transaction } from './chain.ts';
import { parseUnits, printUnits } from './exact.ts';
import type { FigureKey } from './report.ts';
import { aSharedWorld, memoData, verify } from './verify-strategy-for-test.ts';
import { aSwap, aTransfer, aWorld, VAULT, WALLET, type World } from './world-for-test.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('verifying a strategy', () => {
  it('finds every figure that the chain gives, and marks the others as published', async () => {
    const { report, verdicts } = await verify(aWorld());
    expect(verdicts).toEqual({
      transactions: 'same',
      held: 'same',
      cost: 'same',
      poolVaults: 'same',
      otherRounds: 'computed',
      hiddenSwaps: 'same',
      missingRounds: 'same',
      coinsHeld: 'same',
      freeSol: 'same',
      equity: 'same',
      profit: 'same',
      yield: 'same',
      closedTrips: 'same',
      winRate: 'same',
      unsoldAtLoss: 'same',
      realized: 'computed',
      networkFees: 'computed',
      drawdown: 'published',
    });
    expect(report.figures.find(({ key }) => key === 'realized')?.recomputed).toBe('0.49998');
  });

  it.each<[string, FigureKey, (world: World) => unknown]>([
    ['more tokens bought than on chain', 'tradeTokens', ({ rows }) => (rows[1]!.tokenAmount = '1001')],
    ['a better sale than on chain', 'tradeSol', ({ rows }) => (rows[2]!.solAmount = '1.6')],
    ['a lower fee than on chain', 'tradeFee', ({ rows }) => (rows[2]!.networkFee = '0')],
    ['a buy for a sale', 'tradeSide', ({ rows }) => (rows[2]!.side = 'buy')],
    ['a transaction that is not on chain', 'transactions', ({ rows }) => (rows[2]!.txHash = 'nowhere')],
    ['one transaction twice', 'transactions', ({ rows }) => (rows[3]!.txHash = 'buy')],
    ['a swap as if SOL had come in', 'transactions', ({ rows }) => (rows[2]!.kind = 'flow')],
    ['a transaction of another wallet', 'transactions', ({ detail }) => (detail.verify.wallet = 'other')],
    ['a higher yield', 'yield', ({ detail }) => (detail.yieldRate = '8')],
    ['more equity', 'equity', ({ detail }) => (detail.equity = '6')],
    [
      'less capital than its record says came in',
      'yield',
      ({ detail }) => Object.assign(detail, { capitalAmount: '2', yieldRate: '169.998' }),
    ],
    ['a cheaper position', 'cost', ({ detail }) => (detail.positions[0]!.cost = '0.4')],
    ['a position that it hides', 'coinsHeld', ({ detail }) => (detail.positions = [])],
    ['more free SOL', 'freeSol', ({ detail }) => (detail.freeSol = '5')],
    ['another win rate', 'winRate', ({ detail }) => (detail.winRate = '50')],
    ['trips that never happened', 'closedTrips', ({ detail }) => (detail.closedTrades = 2)],
    ['a loss that it does not show', 'unsoldAtLoss', ({ detail }) => (detail.unsoldAtLoss = 0)],
    ['more capital than was put in', 'freeSol', ({ rows }) => (rows[0]!.solAmount = '6')],
    ['a yield of no capital', 'yield', ({ rows }) => rows.splice(0, 1)],
  ])('notices %s', async (_name, key, change) => {
    const world = aWorld();
    change(world);
    expect((await verify(world)).different).toContain(key);
  });

  it('leaves equity and yield as published where a pool cannot be read', async () => {
    const world = aWorld();
    world.pools = [];
    const { verdicts, different } = await verify(world);
    expect(verdicts).toMatchObject({ equity: 'published', profit: 'published', yield: 'published', held: 'same' });
    expect(different).toEqual([]);
  });

  it.each<[string, (world: World) => unknown]>([
    ['of another coin', ({ accounts }) => (accounts[VAULT]!.data[0]! ^= 1)],
    ['of somebody else', ({ accounts }) => (accounts[VAULT]!.data[32]! ^= 1)],
    ['of another program than the tokens’', ({ accounts }) => (accounts[VAULT]!.owner = WALLET)],
    ['that is no token account', ({ accounts }) => (accounts[VAULT]!.data = new Uint8Array(8))],
  ])('believes no price of a pool with a vault %s', async (_name, change) => {
    const world = aWorld();
    change(world);
    const { verdicts, different } = await verify(world);
    expect(different).toEqual(['poolVaults']);
    expect(verdicts).toMatchObject({ equity: 'published', yield: 'published' });
  });

  it('compares what came back at the end; with tokens that left in kind the yield stays as published', async () => {
    const world = aWorld();
    const out = { ...world.rows[0]!, id: '9', time: 9, side: 'out' } as const;
    world.detail.status = 'ended';
    world.rows.push({ ...out, solAmount: '4.99997' });
    world.rows.push({
      ...world.rows[1]!,
      ...out,
      id: '10',
      solAmount: '0.5',
      tokenAmount: '200',
      tokenContractAddress: world.rows[1]!.tokenContractAddress,
      tokenSymbol: 'FROG',
    });
    const { verdicts, different } = await verify(world);
    expect(different).toEqual([]);
    expect(verdicts).toMatchObject({ solReturned: 'same', handedOver: 'same', yield: 'published' });
    world.rows.find(({ id }) => id === '9')!.solAmount = '4.5';
    expect((await verify(world)).different).toEqual(['solReturned']);
  });

  it('counts what left in kind for less than it cost as unsold at a loss', async () => {
    const world = aWorld();
    const out = { ...world.rows[0]!, side: 'out' } as const;
    const coin = { ...world.rows[1]!, ...out, id: '10', time: 10, tokenAmount: '200' };
    world.detail.status = 'ended';
    const inKind = { ...coin, tokenContractAddress: world.rows[1]!.tokenContractAddress, solAmount: '0.50001' };
    world.rows.push({ ...out, id: '9', time: 9, solAmount: '4.99997' }, inKind);
    // The world's one is that of its pool while it ran.
    expect((await verify(world)).different).toEqual(['unsoldAtLoss']);
    inKind.solAmount = '0.50000999';
    expect((await verify(world)).different).toEqual([]);
    world.rows.pop();
    expect((await verify(world)).different).not.toContain('unsoldAtLoss');
  });

  it('compares the drawdown of a strategy that never held a coin', async () => {
    const world = aWorld();
    world.rows = world.rows.slice(0, 1);
    world.transactions = {};
    Object.assign(world.detail, { equity: '5', freeSol: '5', yieldRate: '0', maxDrawdown: '0', winRate: null });
    Object.assign(world.detail, { closedTrades: 0, unsoldAtLoss: 0, positions: [] });
    expect((await verify(world)).verdicts).toMatchObject({ drawdown: 'same', winRate: 'same' });
    world.detail.maxDrawdown = '3';
    expect((await verify(world)).different).toEqual(['drawdown']);
  });

  it('tells a difference that no price makes after a moment, and at once where the strategy has ended', async () => {
    const triesOf = async (world: World): Promise<number> => {
      let tries = 1;
      const { different } = await verify(world, ({ stage }) => (tries += stage === 'compare' ? 1 : 0));
      expect(different).not.toEqual([]);
      return tries;
    };
    const world = aWorld();
    world.rows[2]!.solAmount = '1.6';
    expect(await triesOf(world)).toBe(4);
    world.detail.status = 'ended';
    expect(await triesOf(world)).toBe(1);
    const moved = aWorld();
    moved.detail.equity = '6';
    expect(await triesOf(moved)).toBe(40);
  });

  it('takes no difference for settled that is gone with the next look', async () => {
    const world = aWorld();
    const right = world.rows[2]!.solAmount;
    world.rows[2]!.solAmount = '1.6';
    let tries = 0;
    const { different } = await verify(world, ({ stage }) => {
      if (stage === 'compare' && (tries += 1) === 3) world.rows[2]!.solAmount = right;
    });
    expect(different).toEqual([]);
  });

  it('tries again while the market moves, and asks for each transaction once', async () => {
    const world = aWorld();
    const right = world.detail.equity;
    world.detail.equity = '5.3';
    const stages: string[] = [];
    const { different } = await verify(world, ({ stage }) => {
      stages.push(stage);
      if (stages.filter((each) => each === 'compare').length === 3) world.detail.equity = right;
    });
    expect(different).toEqual([]);
    expect(new Set(stages)).toEqual(new Set(['record', 'transactions', 'compare']));
    expect(world.requests.filter(({ method }) => method === 'getTransaction')).toHaveLength(1);
  });
});

describe('a strategy with a wallet of its own', () => {
  it('has its creator’s part proven by the memo of each swap', async () => {
    const { verdicts, different } = await verify(aSharedWorld());
    expect(different).toEqual([]);
    expect(verdicts).toMatchObject({
      transactions: 'same',
      held: 'same',
      equity: 'same',
      yield: 'same',
      hiddenSwaps: 'same',
    });
  });

  it.each<[string, (world: World) => unknown]>([
    ['has no proof', ({ rows }) => delete rows[1]!.allocation],
    ['is larger than the proof says', ({ rows }) => (rows[1]!.allocation = { ...rows[1]!.allocation!, amountIn: '1' })],
    ['is proven by another swap', ({ rows }) => (rows[3]!.allocation = rows[1]!.allocation!)],
    ['got more than one base unit above its share', ({ rows }) => (rows[1]!.tokenAmount = '1000.000002')],
    ['got less than its share', ({ rows }) => (rows[2]!.solAmount = '1.4')],
    ['paid less of the fee than its share', ({ rows }) => (rows[1]!.networkFee = '0.000003')],
    ['paid more than the fee', ({ rows }) => (rows[1]!.networkFee = '0.000011')],
  ])('notices a part that %s', async (_name, change) => {
    const world = aSharedWorld();
    change(world);
    expect((await verify(world)).different).toContain('transactions');
  });

  it('notices the part of another in place of the creator’s', async () => {
    const world = aSharedWorld();
    Object.assign(world.rows[3]!, { allocation: world.followersProofs[2]!, tokenAmount: '400', solAmount: '1' });
    expect((await verify(world)).different).toContain('transactions');
  });

  it('counts a round trip whose purchase and sale are published with one time, in whatever order', async () => {
    const world = aSharedWorld();
    const [, buy, sell] = world.rows;
    Object.assign(buy!, { time: sell!.time, id: '30' });
    expect((await verify(world)).different).toEqual([]);
  });

  it('notices that more was sold than the record says was bought', async () => {
    const world = aSharedWorld();
    world.rows.splice(1, 1);
    expect((await verify(world)).different).toContain('held');
  });

  it('takes one base unit more, which the largest remainder gives', async () => {
    const world = aSharedWorld();
    world.rows[1]!.tokenAmount = '1000.000001';
    expect((await verify(world)).different).not.toContain('tradeTokens');
  });

  it('hides no swap, and counts the rounds of followers alone, whose deposits are the creator’s', async () => {
    const world = aSharedWorld();
    const swap = { lamports: -100_000_000, deposit: 2_000_000, before: 600n, after: 600_000_005n };
    world.transactions['join'] = aSwap({ ...swap, memo: memoData('hunter:a1:whatever') });
    world.detail.freeSol = '4.99597';
    const joined = await verify(world);
    expect(joined.different).toEqual([]);
    expect(joined.report.figures.find(({ key }) => key === 'otherRounds')?.recomputed).toBe('1');
    world.transactions['secret'] = aSwap({ lamports: -1, before: 600_000_000n, after: 600_000_005n });
    expect((await verify(world)).different).toContain('hiddenSwaps');
  });

  it('is not believed to share its wallet as long as it runs or has rounds', async () => {
    const world = aWorld();
    world.detail.verify.walletKind = 'personal';
    world.transactions['secret'] = aSwap({ lamports: -1, before: 600_000_000n, after: 600_000_005n });
    expect((await verify(world)).different).toEqual(['hiddenSwaps']);
    const ended = aSharedWorld();
    ended.detail.verify.walletKind = 'personal';
    ended.detail.status = 'ended';
    ended.transactions['secret'] = world.transactions['secret']!;
    expect((await verify(ended)).different).toContain('hiddenSwaps');
  });

  it('shows the number of other swaps where it ended in a shared wallet', async () => {
    const world = aWorld();
    world.detail.verify.walletKind = 'personal';
    world.detail.status = 'ended';
    world.transactions['of another book'] = aSwap({ lamports: -1, before: 600_000_000n, after: 600_000_005n });
    const { verdicts, report } = await verify(world);
    expect(verdicts).not.toHaveProperty('hiddenSwaps');
    expect(report.figures.find(({ key }) => key === 'otherSwaps')?.recomputed).toBe('1');
  });

  it('notices a round left out that buys a coin which the creator does not hold', async () => {
    const world = aSharedWorld();
    const join = { lamports: -100_000_000, before: 0n, after: 5n, memo: memoData('hunter:a1:whatever') };
    world.transactions['join'] = aSwap({ ...join, mint: 'another' });
    expect((await verify(world)).different).toEqual(['missingRounds']);
    // As one of them before the creator's first purchase.
    const early = aSharedWorld();
    early.transactions = { join: aSwap(join), ...early.transactions };
    expect((await verify(early)).different).toEqual(['missingRounds']);
  });

  it('notices a sale left out once the wallet has less of the coin than the record says is the creator’s', async () => {
    const world = aSharedWorld();
    const exit = { lamports: 100_000_000, before: 600_000_000n, memo: memoData('hunter:a1:whatever') };
    world.transactions['exit'] = aSwap({ ...exit, after: 200_000_000n });
    expect((await verify(world)).different).toEqual([]);
    world.transactions['exit'] = aSwap({ ...exit, after: 199_999_999n });
    expect((await verify(world)).different).toEqual(['missingRounds']);
  });

  it('notices a loss left out once the wallet has less SOL than the record says is the creator’s', async () => {
    const world = aSharedWorld();
    const own = 4_997_970_000;
    const exit = { lamports: 100_000_000, before: 600_000_000n, after: 300_000_000n };
    const fee = 10_000;
    const swap = (left: number): Transaction =>
      aSwap({ ...exit, solBefore: left - exit.lamports + fee, memo: memoData('hunter:a1:whatever') });
    world.transactions['exit'] = swap(own);
    expect((await verify(world)).different).toEqual([]);
    world.transactions['exit'] = swap(own - 1);
    expect((await verify(world)).different).toEqual(['missingRounds']);
  });

  it('may return what its creator has once it ends', async () => {
    const world = aSharedWorld();
    world.detail.status = 'ending';
    world.transactions['return'] = aSwap({ lamports: -7, before: 600_000_000n, after: 0n, solBefore: 20_000 });
    expect((await verify(world)).different).toEqual([]);
  });

  it('has no round taken for its creator’s as a whole', async () => {
    const world = aSharedWorld();
    world.rows = world.rows.map((row) => {
      if (row.txHash === null) return row;
      const tripled = (amount: string, decimals: number) => printUnits(parseUnits(amount, decimals) * 3n, decimals);
      const { allocation: _, ...rest } = row;
      return { ...rest, solAmount: tripled(row.solAmount, 9), tokenAmount: tripled(row.tokenAmount!, 6) };
    });
    const { report } = await verify(world);
    expect(report.figures.find(({ key }) => key === 'transactions')?.recomputed).toBe('0');
  });

  it('hides no swap behind another who pays its fee, and is not accused of what a stranger signs', async () => {
    const world = aSharedWorld();
    const swap = aSwap({ lamports: -1, before: 600_000_000n, after: 600_000_005n });
    const { message } = swap.transaction;
    const turned = <T>([first, second, third, ...rest]: T[]): T[] => [third!, second!, first!, ...rest];
    message.accountKeys = turned(message.accountKeys);
    swap.meta.preBalances = turned(swap.meta.preBalances);
    swap.meta.postBalances = turned(swap.meta.postBalances);
    world.transactions['secret'] = swap;
    expect((await verify(world)).different).toEqual([]);
    message.header.numRequiredSignatures = 3;
    expect((await verify(world)).different).toEqual(['hiddenSwaps']);
  });

  it('takes a return in kind for what it is: SOL and tokens leave together', async () => {
    const world = aSharedWorld();
    world.transactions['return'] = aSwap({ lamports: -7, before: 600_000_000n, after: 200_000_000n });
    expect((await verify(world)).different).toEqual([]);
  });

  it('compares the capital with the transaction that brought it, where there is one', async () => {
    const world = aWorld();
    world.rows[0]!.txHash = 'commit';
    world.transactions['commit'] = aTransfer(5_000_000_000);
    expect((await verify(world)).different).toEqual([]);
    world.transactions['commit'] = aTransfer(2_000_000_000);
    expect((await verify(world)).different).toEqual(['transactions']);
    // A second one is somebody else's.
    world.transactions['commit'] = aTransfer(5_000_000_000);
    world.transactions['follow'] = aTransfer(1_000_000_000);
    world.rows.push({ ...world.rows[0]!, id: '21', time: 21, txHash: 'follow', solAmount: '1' });
    expect((await verify(world)).different).toContain('transactions');
  });

  it('takes a deposit that came back for a flow, and no SOL that somebody else put in', async () => {
    const world = aSharedWorld();
    const flow = { ...world.rows[0]!, id: '20', time: 20, txHash: 'flow', solAmount: '0', networkFee: '0.00001' };
    world.rows.push(flow);
    world.transactions['flow'] = aSwap({ lamports: 0, deposit: -2_000_000, before: 0n, after: 0n, mint: 'another' });
    Object.assign(world.detail, { freeSol: '4.99996', equity: '5.39995', yieldRate: '7.999' });
    expect((await verify(world)).different).toEqual([]);
    world.transactions['flow'] = aSwap({ lamports: 1_000_000_000, before: 0n, after: 0n });
    Object.assign(world.detail, { freeSol: '5.99796', equity: '6.39995', yieldRate: '27.999' });
    expect((await verify(world)).different).toContain('transactions');
  });

  it('charges its creator at most the fee of a round that failed', async () => {
    const world = aSharedWorld();
    const failed = aSwap({ lamports: 0, before: 0n, after: 0n });
    failed.meta.err = {};
    world.transactions['failed'] = failed;
    const row = { ...world.rows[3]!, id: '20', time: 20, txHash: 'failed', tokenAmount: null, solAmount: '0' };
    world.rows.push({ ...row, networkFee: '0.00002' });
    expect((await verify(world)).different).toContain('transactions');
    world.rows.at(-1)!.networkFee = '0.000004';
    expect((await verify(world)).different).not.toContain('transactions');
    // A fee below nothing would be SOL from nowhere.
    world.rows.at(-1)!.networkFee = '-3';
    expect((await verify(world)).different).toContain('transactions');
  });
});

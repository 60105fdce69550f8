// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { i18n, loadAreas } from '../../i18n/i18n.ts';
import { show } from '../../show-for-test.tsx';
import { positionCard, strategyCard } from './card.ts';
import type { SharedPosition, SharedStrategy } from './card.ts';
import { proofCode, proofLink, readProofLink, SIGNATURES_MAX, tradesOfPosition } from './proof-link.ts';
import ShareDialog from './share-dialog.tsx';

await loadAreas(['share']);
const { t } = i18n;
const MINT = 'So11111111111111111111111111111111111111112';
const signature = (letter: string) => letter.repeat(88);

const position: SharedPosition = {
  tokenContractAddress: MINT,
  tokenSymbol: 'MOCHI',
  tokenName: 'Mochi the Shiba',
  tokenLogoUrl: '',
  bookId: 'b',
  bookKind: 'personal',
  bookName: '',
  openTime: 0,
  amount: '10000',
  boughtAmount: '10000',
  cost: '1.25',
  value: '1.5',
  valueUsd: '240',
  unrealizedProfit: '0.25',
  unrealizedPercent: '20',
};

const strategy = {
  slug: 'steady-trend',
  name: 'Steady trend',
  creator: { name: 'Ada' },
  yieldRate: '12.5',
  followerReturn: '-3.1',
  followerSample: 3,
  followerReturnEarly: false,
  maxDrawdown: '8.2',
  winRate: '61.5',
  closedTrades: 26,
  unsoldAtLoss: 0,
  copyTradeFunds: '42.5',
  verify: { wallet: 'So11111111111111111111111111111111111111112' },
} as SharedStrategy;

describe('a card', () => {
  it('of a position shows percentages and prices, and amounts only where they were asked for', () => {
    const hidden = positionCard(position, null, { t, showAmounts: false });
    expect(hidden.headline).toEqual({ label: 'Unrealized profit', value: '+20.00%', tone: 'up' });
    expect(hidden.lines.map(({ value }) => value)).toEqual(['0.0₃1250 SOL', '0.0₃1500 SOL']);
    for (const amount of ['1.25', '0.25', '10000', '10K', '240']) {
      expect(JSON.stringify(hidden).replaceAll('0.000125', '')).not.toContain(amount);
    }
    const shown = positionCard(position, null, { t, showAmounts: true });
    expect(shown.lines.map(({ value }) => value)).toEqual([
      '0.0₃1250 SOL',
      '0.0₃1500 SOL',
      '1.25 SOL',
      expect.stringContaining('0.25'),
    ]);
  });

  it('of a position has the average entry of what was bought, however much was sent to the wallet', () => {
    const given = positionCard({ ...position, amount: '1000000' }, null, { t, showAmounts: false });
    expect(given.lines[0]!.value).toBe('0.0₃1250 SOL');
  });

  it('of a position says nothing where nothing is known', () => {
    const unknown = { ...position, cost: null, unrealizedProfit: null, unrealizedPercent: null };
    const card = positionCard(unknown, null, { t, showAmounts: false });
    expect([card.headline.value, card.headline.tone, card.lines[0]!.value]).toEqual(['-', 'plain', '-']);
  });

  it('of a strategy stands with what followers got, the sample of its win rate, and where to verify it', () => {
    const card = strategyCard(strategy, 'https://hunter.example', { t, showAmounts: false });
    expect(card.lines).toEqual([
      { label: 'Follower median', value: '-3.10%', tone: 'down' },
      { label: 'Based on', value: '3 follows', tone: 'plain' },
      { label: 'Max drawdown', value: '-8.20%', tone: 'down' },
      { label: 'Win rate', value: '61.50% · 26 closed', tone: 'plain' },
    ]);
    const unsold = strategyCard({ ...strategy, unsoldAtLoss: 15 }, '', { t, showAmounts: false });
    expect(unsold.lines.at(-1)).toEqual({ label: 'Unsold at a loss', value: '15', tone: 'plain' });
    const followersOf = (changed: Partial<SharedStrategy>) =>
      strategyCard({ ...strategy, ...changed }, '', { t, showAmounts: false }).lines.map(({ value }) => value);
    expect(followersOf({ followerReturnEarly: true }).slice(0, 2)).toEqual(['-3.10%', '3 follows, early']);
    expect(followersOf({ followerReturn: null, followerSample: 0 }).slice(0, 2)).toEqual(['-', '-8.20%']);
    expect(card.link).toBe('https://hunter.example/verify?strategy=steady-trend');
    expect(JSON.stringify(card)).not.toContain('42.5');
  });
});

describe('the link of a position', () => {
  it('carries the token and the signatures, and is read back', async () => {
    const signatures = [signature('A'), signature('B')];
    const link = proofLink('https://hunter.example', MINT, signatures)!;
    expect(readProofLink(new URL(link).hash)).toEqual({ mint: MINT, signatures });
    const code = await proofCode(MINT, signatures);
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(await proofCode(MINT, signatures.toReversed())).toBe(code);
    expect(await proofCode(MINT, [signature('A'), signature('C')])).not.toBe(code);
  });

  it('has the trades of the position alone, however soon before it the last one was closed', () => {
    const trade = (txHash: string, time: number, bookId = 'b') => ({ txHash, time, bookId });
    const trades = [
      trade('f', 130_000),
      trade('e', 125_000, 'of a strategy'),
      trade('d', 120_000),
      trade('c', 100_000),
      trade('b', 97_000),
      trade('a', 96_000),
    ];
    expect(tradesOfPosition(trades, { bookId: 'b', openTime: 100_000 })).toEqual(['f', 'd', 'c']);
    expect(tradesOfPosition(trades.slice(4), { bookId: 'b', openTime: 100_000 })).toEqual([]);
  });

  it('is refused where it is empty, cut off or too long', () => {
    expect(proofLink('', MINT, [])).toBeNull();
    expect(
      proofLink(
        '',
        MINT,
        Array.from({ length: SIGNATURES_MAX + 1 }, () => signature('A')),
      ),
    ).toBeNull();
    for (const hash of [
      '',
      '#',
      `#${MINT}`,
      `#${MINT}.short`,
      `#x.${signature('A')}`,
      `#${MINT}.${signature('A')}<b>`,
    ]) {
      expect(readProofLink(hash), hash).toBeNull();
    }
  });
});

it('the dialog offers the picture without amounts first, and names what the link gives away', async () => {
  // No font and no canvas here: what the picture shows is in its name.
  Object.defineProperty(document, 'fonts', { value: { load: async () => [] }, configurable: true });
  await show(<ShareDialog shared={{ position }} onClose={() => {}} />, {
    replies: { getTokenTransactionData: { lists: [], nextCursor: null } },
  });
  const picture = await screen.findByTestId('share-card');
  expect(picture.getAttribute('aria-label')).toBe(
    'MOCHI, Unrealized profit, +20.00%, Average entry 0.0₃1250 SOL, Value per token 0.0₃1500 SOL',
  );
  fireEvent.click(screen.getByRole('checkbox', { name: 'Show amounts' }));
  expect(picture.getAttribute('aria-label')).toContain('Invested 1.25 SOL, PnL +0.2500 SOL');
  expect(screen.getByText(/The position of your personal wallet\.$/)).toBeTruthy();
  expect(await screen.findByText(/^No link: this position has no trades/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Copy link' })).toBeNull();
});

// @vitest-environment happy-dom
import { act, fireEvent, renderHook, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { figure, show } from '../../show-for-test.tsx';
import type { Order } from './order-progress.ts';
import { OrderStatus } from './order-status.tsx';
import { QuoteLines } from './quote-lines.tsx';
import type { Quote } from './use-quote.ts';
import { useSlippage } from './use-slippage.ts';

const quote: Quote = {
  side: 'buy',
  amountIn: '1',
  expectedOut: '2500',
  minimumOut: '2475',
  price: '0.0004',
  priceUsd: '0.08',
  priceImpact: '0.5',
  impactLevel: 'ok',
  slippageBps: 100,
  fees: { network: '0.002', venue: '0.0025', rent: '0.0021', rentIsMaximum: false, total: '0.0066' },
  expiresAt: Date.now() + 10_000,
};
const lines = (changes: Partial<Quote>) => (
  <QuoteLines
    state={{ quote: { ...quote, ...changes }, fresh: true, loading: false, error: null, refreshInSeconds: 5 }}
    symbol="ALPHA"
  >
    {null}
  </QuoteLines>
);

it('shows what a buy brings, at least, and what it costs', async () => {
  await show(lines({}));
  expect(figure('Est. received')).toBe('2.50K ALPHA');
  expect(figure('Minimum received')).toBe('2.47K ALPHA');
  expect(figure('Price impact')).toBe('0.50%');
  fireEvent.click(screen.getByRole('button', { name: /show fee details/ }));
  expect(figure('Network fee')).toBe('0.0020 SOL');
  expect(figure('Swap fee')).toBe('0.0025 SOL');
  expect(figure('Token account rent (refundable)')).toBe('0.0021 SOL');
  expect(screen.getByRole('button', { name: '0.0066\u00A0SOL, show fee details' })).toBeTruthy();
});

it.each([
  ['en', 'Token account rent (refundable)', 'at most 0.0025\u00A0SOL'],
  ['zh', '账户租金（可退）', '最多 0.0025\u00A0SOL'],
] as const)('says that a rent which may turn out lower is the maximum (%s)', async (language, label, text) => {
  await show(lines({ fees: { ...quote.fees, rent: '0.0025', rentIsMaximum: true } }), { language });
  fireEvent.click(screen.getByRole('button', { expanded: false }));
  expect(figure(label)).toBe(text);
});

it('shows what a sale brings in SOL', async () => {
  await show(lines({ side: 'sell', expectedOut: '1.5', minimumOut: '1.4872' }));
  expect(figure('Est. received')).toBe('1.50 SOL');
  expect(figure('Minimum received')).toBe('1.48 SOL');
});

it.each([
  ['warn', 'Price impact: you get 31.50% less than at the current price.', '价格影响：比按现价少收 31.50%。'],
  ['refused', 'Price impact 31.50% is too high, reduce the amount', '价格影响 31.50% 过高，请减少数量'],
] as const)('says what a price impact of the level %s means', async (impactLevel, en, zh) => {
  await show(lines({ impactLevel, priceImpact: '31.5' }));
  expect(screen.getByRole('alert').textContent).toBe(en);
  await show(lines({ impactLevel, priceImpact: '31.5' }), { language: 'zh' });
  expect(screen.getAllByRole('alert').at(-1)?.textContent).toBe(zh);
});

const order: Order = {
  id: 'o',
  status: 'confirmed',
  txHash: 'hash1111111111111111',
  tokenContractAddress: 'A',
  side: 'buy',
  bookId: 'b',
  bookKind: 'personal',
  amountIn: '1.5',
  amountOut: '2500',
  price: '0.0006',
  fee: '0.001',
  error: null,
  createdAt: 0,
};

it.each([
  [order, 'Bought 2.50K ALPHA for 1.50 SOL'],
  [{ ...order, side: 'sell' as const, amountIn: '2500', amountOut: '1.4' }, 'Sold 2.50K ALPHA for 1.40 SOL'],
  [{ ...order, amountOut: null }, 'Confirmed'],
])('says what was bought or sold, and for how much', async (filled, text) => {
  const request = { tokenContractAddress: 'A', side: filled.side, amount: '1' };
  await show(
    <OrderStatus progress={{ phase: 'confirmed', order: filled, request }} symbol="ALPHA" onAskAgain={() => {}} />,
  );
  expect(screen.getByText(text)).toBeTruthy();
});

it.each([
  ['PRICE_IMPACT_TOO_HIGH', 'The price impact is too high, reduce the amount'],
  ['PRICE_MOVED', 'The price moved past your slippage, nothing was traded'],
  ['A_NEW_ONE', 'Failed on chain: nothing traded, network fee charged'],
])('says why an order failed without figures that are not known any more (%s)', async (name, text) => {
  const request = { tokenContractAddress: 'A', side: 'buy' as const, amount: '1' };
  const progress = { phase: 'refused', request, refusal: { name }, txHash: null } as const;
  await show(<OrderStatus progress={progress} symbol="ALPHA" onAskAgain={() => {}} />);
  expect(screen.getByRole('status').textContent).toBe(text);
});

it('leaves the slippage to the server while the user’s own is not known', async () => {
  await show(null, { failing: ['getMySettings'] });
  const { result } = renderHook(() => useSlippage());
  await expect.poll(() => fetch).toHaveBeenCalledWith(expect.stringContaining('getMySettings'), expect.anything());
  expect(result.current.bps).toBeNull();
});

it('trades with the slippage that was chosen last, whatever is still being saved', async () => {
  const settings = { slippageBps: 100, quietNotices: false };
  await show(null, { replies: { getMySettings: settings } });
  const { result } = renderHook(() => useSlippage());
  await expect.poll(() => result.current.bps).toBe(100);
  let answer: () => void = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const open = new Promise<Response>(() => {});
  vi.stubGlobal('fetch', (async (_url, init) => {
    if ((JSON.parse(init?.body as string) as { slippageBps: number }).slippageBps !== 300) return open;
    await answered;
    return Response.json({ code: 200, msg: '', data: { ...settings, slippageBps: 300 } });
  }) satisfies typeof fetch);
  let first: Promise<void> = Promise.resolve();
  act(() => {
    first = result.current.save(300);
  });
  act(() => void result.current.save(50));
  await act(async () => {
    answer();
    await first;
  });
  expect(result.current.bps).toBe(50);
});

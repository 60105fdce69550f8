// @vitest-environment happy-dom
import type { CallReply } from '@hunter/contract/calls';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useEffect, useState, type ComponentProps } from 'react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { answering, figure, show } from '../../show-for-test.tsx';
import { useKeptTriggers } from './kept-triggers.ts';
import { ProtectFields } from './protect-fields.tsx';
import type { OpenExit } from './trigger-draft.ts';
import TriggerForm from './trigger-form.tsx';
import { TriggerPreview } from './trigger-preview.tsx';

const MINT = 'So11111111111111111111111111111111111111112';
const now = { usd: '0.002', sol: '0.00001', 'market-cap': '2000000' };
type Preview = CallReply<'previewTrigger'>['lists'][number];

const preview: Preview = {
  kind: 'limit',
  side: 'buy',
  priceNow: '0.00001',
  priceNowUsd: '0.002',
  firesAt: { priceSol: '0.0000076', priceUsd: '0.00152', marketCap: '1520000', fromNow: '-23.1' },
  fillsAt: { priceSol: '0.000008', priceUsd: '0.0016' },
  priceImpact: '5',
  amountIn: '0.5',
  getsAbout: '62500',
  expiresAt: null,
  slippageBps: 100,
  warnings: [],
};
const books: CallReply<'getMyTokenAmount'> = {
  amount: '1000',
  books: [
    {
      bookId: '0198c0de-0000-7000-8000-00000000000b',
      bookKind: 'personal',
      bookName: '',
      amount: '1000',
      availableSol: '8.5',
      tradable: true,
    },
  ],
};

const onPlanned = vi.fn();
function Page(props: Omit<ComponentProps<typeof TriggerForm>, 'kept'>) {
  return <TriggerForm {...props} kept={useKeptTriggers()} />;
}
const form = (
  type: 'limit' | 'exit' | 'dca',
  side: 'buy' | 'sell' = 'buy',
  prices = now,
  openExits: readonly OpenExit[] = [],
) => (
  <Page
    address={MINT}
    symbol="FWOG"
    now={prices}
    buyPresets={['0.1', '0.5', '1']}
    type={type}
    side={side}
    onSide={() => {}}
    bookId={null}
    onBook={() => {}}
    openExits={openExits}
    onPlanned={onPlanned}
    onPlaced={() => {}}
  />
);
const summary = () => screen.getByTestId('trigger-summary').textContent;
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

it('says in words what a limit buy will do, and sends exactly that', async () => {
  await show(form('limit'), { replies: { getMyTokenAmount: books } });
  await screen.findByText('8.50 SOL available');
  expect(summary()).toBe('Fill in the fields to see what will happen');
  fireEvent.click(screen.getByRole('button', { name: '−20%' }));
  expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe('0.0016');
  fireEvent.click(screen.getByRole('button', { name: '0.5' }));
  fireEvent.click(screen.getByLabelText(/Set the SOL aside now/));
  fireEvent.click(screen.getByLabelText('Protect this buy'));
  expect(summary()).toBe(
    'Buys FWOG for 0.5000\u00A0SOL once the order would get $0.001600 or less. 0.5000\u00A0SOL is set aside now. Expires in 7 days. Once bought: Sells everything at −25% or +100% from your average cost, whichever comes first.',
  );
  fireEvent.click(screen.getByTestId('trigger-submit'));
  const sent = vi.mocked(fetch).mock.calls.find(([url]) => url === '/api/triggers/place_trigger')?.[1]?.body as string;
  expect(JSON.parse(sent)).toMatchObject({
    tokenContractAddress: MINT,
    triggers: [
      {
        kind: 'limit',
        side: 'buy',
        level: { unit: 'usd', value: '0.0016', when: 'below' },
        amount: { unit: 'sol', value: '0.5' },
        holdFunds: true,
        protect: { stopLoss: { value: '25' }, takeProfit: { value: '100' } },
      },
    ],
  });
});

it('tells what is typed at once, and that there is nothing once the form is left', async () => {
  await show(form('limit'), { replies: { getMyTokenAmount: books } });
  await screen.findByText('8.50 SOL available');
  type('Price', '0.0016');
  const { bookId } = books.books[0]!;
  expect(onPlanned).toHaveBeenLastCalledWith({
    bookId,
    type: 'limit',
    side: 'buy',
    draft: expect.objectContaining({ unit: 'usd', price: '0.0016', spend: '' }),
  });
  cleanup();
  expect(onPlanned).toHaveBeenLastCalledWith(null);
});

it('tells nothing of exits that are placed, until one of them is changed', async () => {
  await show(form('exit'), { replies: { getMyTokenAmount: books, placeTrigger: { lists: [] } } });
  await screen.findByText('Set stop and target');
  expect(onPlanned).toHaveBeenLastCalledWith(expect.objectContaining({ type: 'oco' }));
  fireEvent.click(screen.getByTestId('trigger-submit'));
  await expect.poll(() => screen.getByTestId('trigger-submit').getAttribute('aria-busy')).toBeNull();
  expect(onPlanned).toHaveBeenLastCalledWith(null);
  // They are open now: pressed once more, it would set them a second time.
  expect(screen.getByTestId<HTMLButtonElement>('trigger-submit').disabled).toBe(true);
  type('Stop loss in percent', '30');
  expect(onPlanned).toHaveBeenLastCalledWith(
    expect.objectContaining({ type: 'oco', draft: expect.objectContaining({ stop: '30' }) }),
  );
});

it('asks about the same exits after a lost answer, also where the list shows them as open meanwhile', async () => {
  const { bookId } = books.books[0]!;
  const kinds = ['stop-loss', 'take-profit'] as const;
  const opened = kinds.map((kind) => ({ id: kind, bookId, kind, name: kind, text: '' }));
  let tell: () => void = () => {};
  function Watched() {
    const [exits, setExits] = useState<readonly OpenExit[]>([]);
    useEffect(() => {
      tell = () => setExits(opened);
    }, []);
    return form('exit', 'sell', now, exits);
  }
  await show(<Watched />, { replies: { getMyTokenAmount: books }, failing: ['placeTrigger'] });
  await screen.findByText('Set stop and target');
  type('Take profit in percent', '60');
  const submit = () => screen.getByTestId<HTMLButtonElement>('trigger-submit');
  const placed = () =>
    vi
      .mocked(fetch)
      .mock.calls.filter(([url]) => url === '/api/triggers/place_trigger')
      .map(([, init]) => new Headers(init!.headers).get('idempotency-key'));
  fireEvent.click(submit());
  await expect.poll(() => placed().length === 1 && !submit().disabled).toBe(true);
  const said = summary();
  act(() => tell());
  expect(summary()).toBe(said);
  fireEvent.click(submit());
  await expect.poll(() => placed().length === 2 && !submit().disabled).toBe(true);
  expect(placed()[1]).toBe(placed()[0]);
  // What is composed anew is beside those that are open.
  type('Take profit in percent', '70');
  expect(summary()).toContain('+70%');
  expect(summary()).not.toContain('−25%');
});

it('keeps the direction of a limit order when the price passes its level before the click', async () => {
  let fall: () => void = () => {};
  function Falling() {
    const [usd, setUsd] = useState('0.002056789012345');
    useEffect(() => {
      fall = () => setUsd('0.0015');
    }, []);
    return form('limit', 'buy', { ...now, usd });
  }
  await show(<Falling />, { replies: { getMyTokenAmount: books } });
  await screen.findByText('8.50 SOL available');
  expect(screen.getByLabelText('Price').getAttribute('placeholder')).toBe('0.0020567');
  type('Price', '0.0016');
  fireEvent.click(screen.getByRole('button', { name: '0.5' }));
  const said = summary();
  expect(said).toContain('$0.001600 or less');
  act(() => fall());
  expect(summary()).toBe(said);
});

it('expires so long after it is placed, and is the same order when it is asked about', async () => {
  const openedMs = Date.now();
  const clock = vi.spyOn(Date, 'now').mockReturnValue(openedMs);
  try {
    await show(form('limit'), { replies: { getMyTokenAmount: books }, failing: ['placeTrigger'] });
    await screen.findByText('8.50 SOL available');
    type('Price', '0.0016');
    fireEvent.click(screen.getByRole('button', { name: '0.5' }));
    const places = () =>
      vi
        .mocked(fetch)
        .mock.calls.filter(([url]) => url === '/api/triggers/place_trigger')
        .map(([, init]) => ({
          expiresAt: (JSON.parse(init!.body as string) as { triggers: { expiresAt: number }[] }).triggers[0]!.expiresAt,
          key: new Headers(init!.headers).get('idempotency-key'),
        }));
    const hourMs = 3_600_000;
    clock.mockReturnValue(openedMs + 30 * hourMs);
    fireEvent.click(screen.getByTestId('trigger-submit'));
    await expect.poll(() => screen.getByTestId<HTMLButtonElement>('trigger-submit').disabled).toBe(false);
    clock.mockReturnValue(openedMs + 30 * hourMs + 60_000);
    fireEvent.click(screen.getByTestId('trigger-submit'));
    await expect.poll(() => places().length).toBe(2);
    expect(places()[0]?.expiresAt).toBe(openedMs + (30 + 7 * 24) * hourMs);
    expect(places()[1]).toEqual(places()[0]);
  } finally {
    clock.mockRestore();
  }
});

it('says what stop and target, a trailing stop and a ladder will do', async () => {
  await show(form('exit'), { replies: { getMyTokenAmount: books } });
  await screen.findByDisplayValue('Personal');
  expect(summary()).toBe(
    'Sells 100% of your FWOG at −25% or +100% from your average cost, whichever comes first. Ends when the position is closed.',
  );
  fireEvent.click(screen.getByRole('button', { name: '−25%' }));
  expect(summary()).toContain('at +100% from your average cost.');
  fireEvent.click(screen.getByLabelText('Trailing'));
  type('Starts at (USD, optional)', '0.004');
  expect(summary()).toContain('Starts at $0.004000, then sells 100% of your FWOG when the price falls 20%');
  fireEvent.click(screen.getByLabelText('Ladder'));
  expect(summary()).toBe(
    'Sells 50% at +100%, 50% at +300% from your average cost. Shares are of what you hold now. Everything left is sold at −25%. Ends when the position is closed.',
  );
  type('Share 1', '80');
  expect(screen.getByTestId<HTMLButtonElement>('trigger-submit').disabled).toBe(true);
});

it('adds up what a DCA spends', async () => {
  await show(form('dca'), { language: 'zh', replies: { getMyTokenAmount: books } });
  await screen.findByDisplayValue('个人');
  type('每次买入', '0.25');
  expect(summary()).toBe('每隔 1 小时 用 0.2500\u00A0SOL 买入 FWOG，共 10 次，合计 2.50\u00A0SOL，首次立即执行。');
});

it('shows when it fires and at which price it fills, what it gets about, and what speaks against it', async () => {
  const request = { tokenContractAddress: MINT, triggers: [{ kind: 'limit' as const }] };
  await show(<TriggerPreview request={request} symbol="FWOG" />, {
    replies: { previewTrigger: { lists: [{ ...preview, warnings: ['far-from-price', 'high-impact'] }] } },
  });
  await screen.findByTestId('fires-at');
  expect(figure('Market price then')).toBe('$0.001520 (-23.10%)');
  expect(figure('Market cap then')).toBe('$1.52M');
  expect(figure('Price impact')).toBe('5.00%');
  expect(screen.getByTestId('fills-at').textContent).toContain('$0.001600');
  expect(figure('Est. received then')).toBe('62.50K FWOG');
  expect(figure('Slippage')).toBe('1%');
  expect(screen.getAllByRole('alert').map((each) => each.textContent)).toEqual([
    'This is more than 100 times away from the price now.',
    'This size moves the price by 5% or more.',
  ]);
});

it('shows a sale in SOL, and a dash where nothing is known', async () => {
  const request = {
    tokenContractAddress: MINT,
    triggers: [{ kind: 'stop-loss' as const }, { kind: 'take-profit' as const }],
  };
  const sale = { ...preview, kind: 'stop-loss' as const, side: 'sell' as const, getsAbout: '0.37' };
  await show(<TriggerPreview request={request} symbol="FWOG" />, {
    replies: { previewTrigger: { lists: [sale, { ...sale, kind: 'take-profit', firesAt: null, getsAbout: null }] } },
  });
  const gets = await screen.findAllByTestId('gets-about');
  expect(gets.map((each) => each.textContent)).toEqual(['0.3700 SOL', '-']);
  expect(screen.getAllByTestId('fires-at')).toHaveLength(1);
});

it.each([
  ['en' as const, ['Take profit +100%', 'Take profit +300%', 'Stop loss −25%']],
  ['zh' as const, ['止盈 +100%', '止盈 +300%', '止损 −25%']],
])('tells the steps of a ladder apart by their level (%s)', async (language, titles) => {
  const step = (kind: 'take-profit' | 'stop-loss', value: string) => ({
    kind,
    level: { unit: 'percent' as const, value },
  });
  const triggers = [step('take-profit', '100'), step('take-profit', '300'), step('stop-loss', '25')];
  const lists = triggers.map(({ kind }) => ({ ...preview, kind, side: 'sell' as const }));
  await show(<TriggerPreview request={{ tokenContractAddress: MINT, triggers }} symbol="FWOG" />, {
    language,
    replies: { previewTrigger: { lists } },
  });
  const headings = await screen.findAllByRole('heading');
  expect(headings.map((each) => each.textContent)).toEqual(titles);
});

it('names no figures by a level that they are not of', async () => {
  const exits = (target: string) => ({
    tokenContractAddress: MINT,
    triggers: [
      { kind: 'stop-loss' as const, level: { unit: 'percent' as const, value: '25' } },
      { kind: 'take-profit' as const, level: { unit: 'percent' as const, value: target } },
    ],
  });
  function Composed() {
    const [target, setTarget] = useState('100');
    return (
      <>
        <button type="button" onClick={() => setTarget('300')}>
          {target}
        </button>
        <TriggerPreview request={exits(target)} symbol="FWOG" />
      </>
    );
  }
  const lists = exits('').triggers.map(({ kind }) => ({ ...preview, kind, side: 'sell' as const }));
  await show(<Composed />, { replies: { previewTrigger: { lists } } });
  const names = () => screen.getAllByRole('heading').map((each) => each.textContent);
  await expect.poll(() => screen.queryAllByRole('heading').length).toBe(2);
  const answer = Promise.withResolvers<Response>();
  vi.stubGlobal(
    'fetch',
    vi.fn(() => answer.promise),
  );
  fireEvent.click(screen.getByText('100'));
  expect(names()).toEqual(['Stop loss −25%', 'Take profit +100%']);
  await expect.poll(() => vi.mocked(fetch).mock.calls.length).toBe(1);
  expect(names()).toEqual(['Stop loss', 'Take profit']);
  answer.resolve(Response.json({ code: 200, msg: '', data: { lists } }));
  await expect.poll(names).toEqual(['Stop loss −25%', 'Take profit +300%']);
});

it('protects a buy by chips, says what that means, and refuses to protect it with nothing', async () => {
  const onChoice = vi.fn();
  const choice = { isOn: true, stop: '25', target: '', trail: '15' };
  await show(<ProtectFields choice={choice} onChoice={onChoice} disabled={false} />);
  expect(screen.getByTestId('protect-text').textContent).toContain(
    'Sells everything at −25% from your average cost. Sells everything when the price falls 15% below its highest since the buy.',
  );
  fireEvent.click(screen.getByRole('button', { name: '+300%' }));
  expect(onChoice).toHaveBeenLastCalledWith({ ...choice, target: '300' });
  fireEvent.click(screen.getByRole('button', { name: '−25%' }));
  expect(onChoice).toHaveBeenLastCalledWith({ ...choice, stop: '' });
  await show(<ProtectFields choice={{ ...choice, stop: '', trail: '' }} onChoice={onChoice} disabled={false} />);
  expect(screen.getAllByTestId('protect-text').at(-1)?.textContent).toBe(
    'Choose a stop loss, a take profit or a trailing stop.',
  );
});

it('forgets price and amount that were typed for a strategy which ends meanwhile', async () => {
  const [personal] = books.books;
  const strategy = { ...personal!, bookId: '0198c0de-0000-7000-8000-00000000000c', bookKind: 'strategy' as const };
  const both = { ...books, books: [personal!, { ...strategy, bookName: 'Alpha', availableSol: '3' }] };
  const props = { address: MINT, symbol: 'FWOG', now, buyPresets: ['0.5'], type: 'limit', side: 'buy' } as const;
  const none = { onSide: () => {}, onBook: () => {}, openExits: [], onPlaced: () => {}, onPlanned };
  await show(<Page {...props} {...none} bookId={strategy.bookId} />, { replies: { getMyTokenAmount: both } });
  await screen.findByText('3.00 SOL available');
  type('Price', '0.0016');
  fireEvent.click(screen.getByRole('button', { name: '0.5' }));
  expect(screen.getByTestId<HTMLButtonElement>('trigger-submit').disabled).toBe(false);
  vi.stubGlobal('fetch', vi.fn(answering({ getMyTokenAmount: books })));
  await act(() => queryClient.invalidateQueries({ queryKey: ['getMyTokenAmount'] }));
  await screen.findByText('8.50 SOL available');
  expect(screen.getByTestId<HTMLButtonElement>('trigger-submit').disabled).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('Price').value).toBe('');
});

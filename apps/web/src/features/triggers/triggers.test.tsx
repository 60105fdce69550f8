// @vitest-environment happy-dom
import { triggerOutcomes } from '@hunter/domain/triggers/trigger-outcome';
import type { TriggerOutcome } from '@hunter/domain/triggers/trigger-outcome';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show, tableRows, toneOfText } from '../../show-for-test.tsx';
import EditDialog from './edit-dialog.tsx';
import MoveDialog from './move-dialog.tsx';
import { aTokenInfo, aTrigger } from './trigger-for-test.ts';
import { TriggersTable } from './triggers-table.tsx';
import type { Trigger } from './trigger.ts';
import { refreshTriggers } from './use-triggers.ts';

const page = (...lists: Trigger[]) => ({ lists, total: lists.length, pageNo: 1, pageSize: 50 });
const shownOpen = (...triggers: Trigger[]) =>
  show(<TriggersTable state="open" address={triggers[0]!.tokenContractAddress} />, {
    replies: { getMyTriggers: page(...triggers) },
  });

/** The list as it is read from now on. */
function answerWith(...triggers: Trigger[]): void {
  vi.mocked(fetch).mockImplementation(answering({ getMyTriggers: page(...triggers) }));
  refreshTriggers();
}

it.each([
  [{}, 'Stop loss', 'at 0.0₄1250\u00A0SOL or below', 'all'],
  [
    { kind: 'take-profit', level: { unit: 'usd', value: '0.004', when: 'above' } },
    'Take profit',
    'at $0.004000 or above',
    'all',
  ],
  [
    { kind: 'limit', side: 'buy', level: { unit: 'market-cap', value: '2500000', when: 'below' } },
    'Limit buy',
    'at $2.50M market cap or below',
    'all',
  ],
  [{ kind: 'limit', amount: { unit: 'percent-held', value: '50' } }, 'Limit sell', null, '50% of holding'],
  [{ kind: 'limit', side: 'buy', amount: { unit: 'sol', value: '0.5' } }, 'Limit buy', null, '0.5000\u00A0SOL'],
  [{ amount: { unit: 'percent-bought', value: '25' } }, 'Stop loss', null, '25% of bought'],
  [{ amount: { unit: 'tokens', value: '1500' } }, 'Stop loss', null, '1.50K\u00A0FWOG'],
  [{ amount: { unit: 'tokens', value: null } }, 'Stop loss', null, '-'],
  [
    {
      kind: 'trailing-stop',
      level: null,
      trailing: { percent: '20', activation: null, isActive: true, highPrice: '0.02', firesAt: '0.016' },
    },
    'Trailing stop',
    '20% below the high, now 0.01600\u00A0SOL',
    'all',
  ],
  [
    {
      kind: 'dca',
      side: 'buy',
      level: null,
      amount: { unit: 'sol', value: '0.1' },
      schedule: { intervalSeconds: 3_600, done: 2, count: 10, nextAt: null, lowest: null, highest: null },
    },
    'DCA buy',
    'every 1 hour, 2 of 10 done',
    '0.1000\u00A0SOL',
  ],
  [{ kind: 'creator-sells', level: null }, 'Dev sells', 'when the dev sells', 'all'],
] as [Partial<Trigger>, string, string | null, string][])(
  'lists %o with what it is, waits for and trades',
  async (changes, type, condition, amount) => {
    await shownOpen(aTrigger(changes));
    const [row] = await tableRows('Trigger orders');
    expect(row?.['Type']).toContain(type);
    if (condition !== null) expect(row?.['Condition']).toBe(condition);
    expect(row?.['Amount']).toBe(amount);
    expect(toneOfText(type)).toBe(changes.side === 'buy' || changes.kind === 'take-profit' ? 'up' : 'down');
  },
);

it('says of one that a freeze has paused why it is', async () => {
  const note = 'Paused when your account was frozen. Resume it only if you placed it.';
  await shownOpen(
    aTrigger({ id: 'frozen', kind: 'dca', side: 'buy', state: 'paused', orderError: 'ACCOUNT_FROZEN' }),
    aTrigger({ id: 'own', kind: 'dca', side: 'buy', state: 'paused', orderError: 'NO_ROUTE' }),
  );
  expect(await screen.findAllByText(note)).toHaveLength(1);
});

it('gives a level in SOL in dollars, too, once the price of SOL is known', async () => {
  const trailing = { percent: '20', activation: null, isActive: true, highPrice: '0.02', firesAt: '0.016' };
  const triggers = [aTrigger({ id: '1' }), aTrigger({ id: '2', kind: 'trailing-stop', level: null, trailing })];
  await show(<TriggersTable state="open" />, {
    replies: { getMyTriggers: page(...triggers), tokenPrice: { lists: [], solUsd: { price: '150', time: 1 } } },
  });
  await screen.findAllByText(/≈/);
  expect((await tableRows('Trigger orders')).map((row) => row['Condition'])).toEqual([
    'at 0.0₄1250\u00A0SOL (≈\u00A0$0.001875) or below',
    '20% below the high, now 0.01600\u00A0SOL (≈\u00A0$2.400)',
  ]);
});

it('says that a trigger is paused, waits for its buy or fires, and offers what can still be done', async () => {
  await shownOpen(
    aTrigger({ id: '1', state: 'paused' }),
    aTrigger({ id: '2', state: 'waiting', level: null, group: { id: 'g', kind: 'one-cancels-other' } }),
    aTrigger({ id: '3', state: 'firing' }),
  );
  const rows = await tableRows('Trigger orders');
  expect(rows.map((row) => row['Type'])).toEqual([
    expect.stringContaining('Stop losspaused'),
    expect.stringContaining('Stop losswaiting for the buyOCO'),
    expect.stringContaining('Stop lossfiring'),
  ]);
  expect(rows[1]?.['Condition']).toBe('set once the buy has traded');
  expect(screen.getAllByRole('button', { name: 'Resume Stop loss' })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Pause Stop loss' })).toBeNull();
  expect(screen.getAllByRole('button', { name: 'Cancel Stop loss' })).toHaveLength(2);
});

it.each(Object.keys(triggerOutcomes) as TriggerOutcome[])(
  'has words for the end "%s" in both languages',
  async (outcome) => {
    const ended = aTrigger({ state: 'ended', outcome, endedAt: Date.now(), firedPrice: null });
    for (const language of ['en', 'zh'] as const) {
      await show(<TriggersTable state="ended" address={ended.tokenContractAddress} />, {
        language,
        replies: { getMyTriggers: page(ended) },
      });
      const [row] = await tableRows(language === 'en' ? 'Trigger orders' : '条件单');
      const result = row?.[language === 'en' ? 'Result' : '结果'] ?? '';
      expect(result).not.toBe('');
      expect(result).not.toContain('triggers.');
      document.body.replaceChildren();
    }
  },
);

it('shows the price at which an ended one fired, and its transaction', async () => {
  const ended = aTrigger({
    state: 'ended',
    outcome: 'filled',
    endedAt: Date.now(),
    firedPrice: '0.00001249',
    txHash: '5hashhashhashhashhash',
  });
  await show(<TriggersTable state="ended" />, { replies: { getMyTriggers: page(ended) } });
  const [row] = await tableRows('Trigger orders');
  expect(row?.['Result']).toBe('filled, fired at 0.0₄1249\u00A0SOL');
  expect(screen.getByTestId('tx-hash').dataset['hash']).toBe('5hashhashhashhashhash');
});

it('offers to edit what has a figure, and no empty form for what waits for an event and sells everything', async () => {
  await shownOpen(aTrigger({ id: '1' }), aTrigger({ id: '2', kind: 'creator-sells', level: null }));
  await screen.findByRole('button', { name: 'Cancel Dev sells' });
  expect(screen.getByRole('button', { name: 'Edit Stop loss' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Edit Dev sells' })).toBeNull();
});

it('asks before it cancels, and says that the position is left without protection', async () => {
  await shownOpen(aTrigger());
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel Stop loss' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel Stop loss of FWOG?' });
  expect(dialog.textContent).toContain('no longer protected');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel order' }));
  await expect.poll(() => vi.mocked(fetch).mock.calls.map(([url]) => url)).toContain('/api/triggers/cancel_trigger');
});

it('sends only what was changed, and nothing that is not a number', async () => {
  await show(<EditDialog trigger={aTrigger({ amount: { unit: 'percent-held', value: '50' } })} onClose={() => {}} />);
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' });
  expect(save.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Fires at (SOL)'), { target: { value: '0' } });
  expect(screen.getByRole('alert').textContent).toBe('Enter a number above zero');
  expect(save.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Fires at (SOL)'), { target: { value: '0.00001' } });
  fireEvent.click(save);
  const sent = vi.mocked(fetch).mock.calls.at(-1)?.[1]?.body as string;
  expect(JSON.parse(sent)).toEqual({
    t: expect.any(Number),
    id: aTrigger().id,
    level: { unit: 'sol', value: '0.00001' },
  });
});

it('shows the price now beside an edited level, in dollars, too, and warns where it would fire at once', async () => {
  const trigger = aTrigger();
  const { tokenContractAddress } = trigger;
  const now = { tokenContractAddress, price: '0.003', priceSol: '0.000015', change: null, time: 0 };
  await show(<EditDialog trigger={trigger} onClose={() => {}} />, {
    replies: { tokenPrice: { lists: [now], solUsd: { price: '200', time: 0 } } },
  });
  expect(await screen.findByText('0.0₄1500 SOL (≈ $0.003000)')).toBeTruthy();
  const type = (value: string) => fireEvent.change(screen.getByLabelText('Fires at (SOL)'), { target: { value } });
  type('0.000014');
  expect(screen.getByText('0.0₄1400 SOL (≈ $0.002800)')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
  type('0.000016');
  expect(screen.getByRole('alert').textContent).toContain('fire at once');
});

it('shows the market cap now beside an edited level in market cap, and warns where it would fire at once', async () => {
  const level = { unit: 'market-cap', value: '2500000', when: 'below' } as const;
  await show(<EditDialog trigger={aTrigger({ kind: 'limit', side: 'buy', level })} onClose={() => {}} />, {
    replies: { getTokenBaseInfo: aTokenInfo({ marketCap: '3000000' }) },
  });
  expect(await screen.findByText('$3.00M market cap')).toBeTruthy();
  const type = (value: string) => fireEvent.change(screen.getByLabelText('Fires at (MCap)'), { target: { value } });
  type('2900000');
  expect(screen.queryByRole('alert')).toBeNull();
  type('3100000');
  expect(screen.getByRole('alert').textContent).toContain('fire at once');
});

it('shows what another tab changed meanwhile, keeps what was typed, and sends that alone', async () => {
  const before = aTrigger({ amount: { unit: 'percent-held', value: '50' } });
  await shownOpen(before);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Stop loss' }));
  const level = await screen.findByLabelText<HTMLInputElement>('Fires at (SOL)');
  const amount = screen.getByLabelText<HTMLInputElement>('Amount');
  fireEvent.change(amount, { target: { value: '75' } });
  expect(screen.queryByRole('alert')).toBeNull();

  const moved = { unit: 'sol', value: '0.00001', when: 'below' } as const;
  answerWith({ ...before, level: moved, amount: { unit: 'percent-held', value: '25' } });
  expect((await screen.findByRole('alert')).textContent).toContain('changed elsewhere');
  expect([level.value, amount.value]).toEqual(['0.00001', '75']);
  expect(screen.getByRole('dialog').textContent).toContain('25% of holding');
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  const sent = vi.mocked(fetch).mock.calls.at(-1)?.[1]?.body as string;
  expect(JSON.parse(sent)).toEqual({
    t: expect.any(Number),
    id: before.id,
    amount: { unit: 'percent-held', value: '75' },
  });
});

it('changes nothing of an order that has fired or was canceled meanwhile', async () => {
  await shownOpen(aTrigger());
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Stop loss' }));
  const level = await screen.findByLabelText('Fires at (SOL)');
  fireEvent.change(level, { target: { value: '0.00001' } });
  answerWith();
  expect((await screen.findByRole('alert')).textContent).toContain('no longer open');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled).toBe(true);
});

const prices = { usd: 0.003, sol: 0.000_015, supply: 1e9 };

it('shows from where to where a dragged line moves its order, and sends that level', async () => {
  await show(
    <MoveDialog
      trigger={aTrigger()}
      price={{ usd: 0.0026, sol: 0.000_013_000_4 }}
      prices={prices}
      onClose={() => {}}
    />,
  );
  const dialog = screen.getByRole('dialog', { name: 'Move Stop loss of FWOG?' });
  expect(within(dialog).getByTestId('moved-to').textContent).toBe('0.0₄1300\u00A0SOL (≈\u00A0$0.002600)');
  expect(within(dialog).queryByRole('alert')).toBeNull();
  fireEvent.click(within(dialog).getByRole('button', { name: 'Move order' }));
  const sent = vi.mocked(fetch).mock.calls.at(-1)?.[1]?.body as string;
  expect(JSON.parse(sent)).toEqual({
    t: expect.any(Number),
    id: aTrigger().id,
    level: { unit: 'sol', value: '0.000013' },
  });
});

it('warns that a stop above the price fires at once', async () => {
  await show(
    <MoveDialog trigger={aTrigger()} price={{ usd: 0.004, sol: 0.00002 }} prices={prices} onClose={() => {}} />,
  );
  expect(screen.getByRole('alert').textContent).toContain('fire at once');
});

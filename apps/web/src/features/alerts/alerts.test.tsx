// @vitest-environment happy-dom
import { alertPath } from '@hunter/contract/alert-path';
import type { CallReply } from '@hunter/contract/calls';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { AlertBell } from './alert-bell.tsx';
// Loaded beforehand: they are fetched when they are needed, which may take long on a busy machine.
import './alert-panel.tsx';
import './counting-bell.tsx';
import AlertSettings from './alert-settings.tsx';
import PriceAlertDialog from './price-alert.tsx';

type Alerts = CallReply<'getMyAlerts'>;
const round = {
  slug: 'moon',
  strategyName: 'Moon',
  tokenContractAddress: 'Mint',
  tokenSymbol: 'CAT',
  side: 'buy' as const,
};
const alerts: Alerts = {
  lists: [
    { id: '3', time: 0, read: false, body: { kind: 'round-skipped', ...round, reason: 'coin-cap' } },
    {
      id: '2',
      time: 0,
      read: false,
      body: { kind: 'follow-stopped', slug: 'moon', strategyName: 'Moon', by: 'stop-loss' },
    },
    { id: '1', time: 0, read: true, body: { kind: 'round-filled', ...round, solAmount: '1.5', txHash: 's' } },
  ],
  nextCursor: null,
  unread: 2,
};

it.each([
  ['en', ['Skipped: buy CAT', 'Stop loss reached', 'Copied: buy CAT'], 'Moon: your share 1.50 SOL'],
  ['zh', ['未跟单：买入 CAT', '已触发止损', '已跟单：买入 CAT'], 'Moon：您的份额 1.50 SOL'],
] as const)(
  'the bell lists what was told, newest first, with the reason of a skip (%s)',
  async (language, titles, text) => {
    await show(<AlertBell />, { language, replies: { getMyAlerts: alerts, readMyAlerts: { unread: 0 } } });
    fireEvent.click(await screen.findByTestId('alert-bell'));
    const list = await screen.findByTestId('alert-list');
    const rows = await within(list).findAllByRole('listitem');
    expect(rows).toHaveLength(3);
    titles.forEach((title, index) => expect(rows[index]!.textContent).toContain(title));
    expect(rows[2]!.textContent).toContain(text);
    // Push messages lead to the same pages.
    rows.forEach((row, index) =>
      expect(within(row).getByRole('link').getAttribute('href')).toBe(alertPath(alerts.lists[index]!.body)),
    );
    expect(rows.map((row) => within(row).queryByText(language === 'en' ? 'unread' : '未读') !== null)).toEqual([
      true,
      true,
      false,
    ]);
  },
);

it('the bell says how many are unread', async () => {
  await show(<AlertBell />, { replies: { getMyAlerts: alerts } });
  fireEvent.click(await screen.findByTestId('alert-bell'));
  expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeTruthy();
});

it('the list of the bell closes when the focus goes on to the page, and not when the window loses it', async () => {
  const page = (
    <>
      <AlertBell />
      <button type="button">Next</button>
    </>
  );
  await show(page, { replies: { getMyAlerts: alerts, readMyAlerts: { unread: 0 } } });
  const bell = await screen.findByTestId('alert-bell');
  fireEvent.click(bell);
  const list = await screen.findByTestId('alert-list');
  fireEvent.focusOut(list, { relatedTarget: null });
  fireEvent.focusOut(list, { relatedTarget: bell });
  expect(screen.queryByTestId('alert-list')).toBeTruthy();
  fireEvent.focusOut(list, { relatedTarget: screen.getByRole('button', { name: 'Next' }) });
  expect(screen.queryByTestId('alert-list')).toBeNull();
});

it('a visitor has no bell', async () => {
  await show(<AlertBell />, { loggedIn: false });
  expect(screen.queryByTestId('alert-bell')).toBeNull();
});

it('shows what goes where, and does not offer a channel that cannot reach the user', async () => {
  await show(<AlertSettings />, {
    replies: {
      getMyAlertChoices: {
        kinds: [
          { kind: 'deposit', channels: ['app', 'push'] },
          { kind: 'security', channels: ['app'] },
        ],
        available: ['app', 'mail'],
      },
      getMyPriceAlerts: {
        lists: [
          {
            id: 'a',
            tokenContractAddress: 'Mint',
            tokenSymbol: 'CAT',
            direction: 'above',
            target: '0.000125',
            createdAt: 0,
          },
        ],
      },
    },
  });
  const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
  expect([(await box('Deposits: App')).checked, (await box('Deposits: Email')).checked]).toEqual([true, false]);
  // Mails about security are no matter of choice.
  expect([(await box('Security: Email')).checked, (await box('Security: Email')).disabled]).toEqual([true, true]);
  expect(screen.queryByRole('checkbox', { name: 'Deposits: Push' })).toBeNull();
  expect((await screen.findByTestId('price-alerts')).textContent).toContain('CAT above $0.0₃1250');
});

it('takes the next choice while one is being saved, and saves them in order', async () => {
  const choices: CallReply<'getMyAlertChoices'> = {
    kinds: [{ kind: 'deposit', channels: [] }],
    available: ['app', 'mail'],
  };
  await show(<AlertSettings />, { replies: { getMyAlertChoices: choices } });
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
  await screen.findByRole('checkbox', { name: 'Deposits: App' });
  const answers: (() => void)[] = [];
  const saved: unknown[] = [];
  vi.stubGlobal('fetch', (_url: string, { body }: { body?: string }) => {
    if (body !== undefined) saved.push((JSON.parse(body) as { channels: unknown }).channels);
    const answer = Response.json({
      code: 200,
      msg: '',
      data: { ...choices, kinds: [{ kind: 'deposit', channels: ['app', 'mail'] }] },
    });
    return new Promise((resolve) => answers.push(() => resolve(answer)));
  });
  fireEvent.click(box('Deposits: App'));
  await expect.poll(() => box('Deposits: App').checked).toBe(true);
  expect(box('Deposits: Email').disabled).toBe(false);
  fireEvent.click(box('Deposits: Email'));
  await expect.poll(() => saved).toEqual([['app']]);
  answers[0]!();
  await expect.poll(() => saved).toEqual([['app'], ['app', 'mail']]);
  answers[1]!();
  await expect.poll(() => answers.length).toBe(3);
  expect(box('Deposits: Email').checked).toBe(true);
});

function RisingToken() {
  const [price, setPrice] = useState('1');
  return (
    <>
      <PriceAlertDialog address="Mint" symbol="CAT" price={price} onClose={() => {}} />
      <button type="button" data-testid="rise" onClick={() => setPrice('3')} />
    </>
  );
}

it('a price that passes the target before the click does not turn the alert around', async () => {
  await show(<RisingToken />);
  fireEvent.change(await screen.findByRole('textbox'), { target: { value: '2' } });
  fireEvent.click(screen.getByTestId('rise'));
  fireEvent.click(screen.getByRole('button', { name: 'Set alert' }));
  await waitFor(() => {
    const sent = vi.mocked(fetch).mock.calls.find(([url]) => (url as string).includes('PriceAlert'));
    expect(JSON.parse(sent?.[1]?.body as string)).toMatchObject({ direction: 'above', target: '2' });
  });
});

it('starts a price alert in its field, and offers prices at a distance from the one now', async () => {
  await show(<PriceAlertDialog address="Mint" symbol="CAT" price="0.0048885" onClose={() => {}} />);
  const field = await screen.findByRole<HTMLInputElement>('textbox');
  await expect.poll(() => document.activeElement).toBe(field);
  fireEvent.click(screen.getByRole('button', { name: '−10%' }));
  expect(field.value).toBe('0.0043996');
  expect(screen.getByText('Notifies when the price falls to $0.004400')).toBeTruthy();
});

const channels = (telegram: CallReply<'getMyAlertChannels'>['telegram']) => ({
  getMyAlertChannels: {
    push: { publicKey: 'B', devices: [{ id: 'A'.repeat(43), name: 'Chrome · Linux', createdAt: 0 }] },
    telegram,
  },
});

it('lists the browsers that get push messages, and says that Telegram is not set up', async () => {
  await show(<AlertSettings />, { replies: channels({ configured: false, chat: null }) });
  const list = await screen.findByRole('list', { name: 'Browsers that get push messages' });
  expect(list.textContent).toContain('Chrome · Linux');
  expect(within(list).getByRole('button', { name: 'Stop push messages to Chrome · Linux' })).toBeTruthy();
  expect(screen.getByText('Telegram is not set up on this installation.')).toBeTruthy();
  // This environment has no service worker.
  expect(await screen.findByText(/can’t receive push messages/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Turn on in this browser' })).toBeNull();
});

it('leads to Telegram with a link that counts once', async () => {
  const url = 'https://t.me/hunter_bot?start=code';
  await show(<AlertSettings />, {
    language: 'zh',
    replies: { ...channels({ configured: true, chat: null }), connectTelegram: { url, expiresAt: 0 } },
  });
  fireEvent.click(await screen.findByRole('button', { name: '绑定 Telegram' }));
  expect((await screen.findByRole('link', { name: '打开 Telegram' })).getAttribute('href')).toBe(url);
  expect(screen.getByRole('status').textContent).toContain('15 分钟内有效');
});

it('names the connected chat', async () => {
  await show(<AlertSettings />, { replies: channels({ configured: true, chat: '@ann' }) });
  expect(await screen.findByText('Connected: @ann')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Disconnect' })).toBeTruthy();
});

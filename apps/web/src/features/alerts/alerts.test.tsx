// @vitest-environment happy-dom
import { alertPath } from '@hunter/contract/alert-path';
import type { CallReply } from '@hunter/contract/calls';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { AlertBell } from './alert-bell.tsx';
// Loaded beforehand: they are fetched when they are needed, which may take long on a busy machine.
import './alert-panel.tsx';
import './counting-bell.tsx';
import AlertSettings from './alert-settings.tsx';

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

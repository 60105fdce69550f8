// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show, tableRows, toneOfText } from '../../show-for-test.tsx';
import { HitRates } from './hit-rates.tsx';
import { NoticeTable } from './notice-table.tsx';
import type { Notice } from './notice-text.ts';
import { NoticesTab } from './notices-tab.tsx';

const notice: Notice = {
  id: '1',
  tokenContractAddress: 'A',
  tokenSymbol: 'ALPHA',
  tokenLogoUrl: '/a.svg',
  trigger: 'volume-surge',
  time: Date.now(),
  priceAtAlert: '0.5',
  marketCapAtAlert: '1000',
  multipleNow: '0.4',
  multiplePeak: '12.5',
  grade1h: 'gold',
  grade24h: null,
  detail: '7',
};

it('shows the price at the alert, the multiples now and at the peak, and both grades', async () => {
  await show(
    <NoticeTable
      rows={[notice, { ...notice, id: '2', multipleNow: '3', grade1h: 'dead', grade24h: 'flat' }]}
      loading={false}
      withToken
    />,
  );
  expect(await tableRows('Golden dog alerts')).toMatchObject([
    {
      Token: 'ALPHA',
      Alert: 'Volume surge5-minute volume 7× the average of the hour before',
      'Alert price': '$0.5000',
      Now: '0.40×',
      Peak: '12.5×',
      'Grade 1h · 24h': 'goldopen',
    },
    { Now: '3.00×', 'Grade 1h · 24h': 'down 50%+flat' },
  ]);
  expect(toneOfText('0.40×')).toBe('down');
  expect(toneOfText('3.00×')).toBe('up');
});

it('counts what was graded without a medal as misses', async () => {
  const rates = [{ trigger: 'breakout' as const, graded: 20, gold: 1, silver: 2, bronze: 4, dead: 5, hitRate: '35' }];
  await show(<HitRates rates={rates} />);
  expect(await tableRows('Hit rate')).toEqual([
    {
      Trigger: 'Breakout',
      Graded: '20',
      Gold: '1',
      Silver: '2',
      Bronze: '4',
      Misses: '13',
      'Down 50%+': '5',
      'Hit rate': '35.00%',
    },
  ]);
});

it('asks for no settings on behalf of a visitor: the refusal would end in the login page', async () => {
  await show(<NoticesTab address="A" height={480} />, {
    loggedIn: false,
    replies: { getTokenGoldenDogNotice: { lists: [notice], nextCursor: null, hitRates: [] } },
  });
  expect(await screen.findByText('Volume surge')).toBeTruthy();
  const asked = vi.mocked(fetch).mock.calls.map(([url]) => url as string);
  expect(asked.filter((url) => url.includes('getMySettings'))).toEqual([]);
  expect(screen.getByRole<HTMLInputElement>('checkbox').disabled).toBe(true);
});

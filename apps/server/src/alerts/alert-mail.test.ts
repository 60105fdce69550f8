import type { AlertBody } from '@hunter/contract/calls/alerts';
import { DIGEST_LINES_MAX } from '@hunter/domain/alerts/alert-digest';
import { expect, it } from 'vitest';
import { alertMail } from './alert-mail.ts';

const skipped: AlertBody = {
  kind: 'round-skipped',
  slug: 'moon',
  strategyName: 'Moon <b>\r\nBcc: x',
  tokenContractAddress: 'Mint',
  tokenSymbol: 'CAT',
  side: 'buy',
  reason: 'coin-cap',
};

it('one alert is named in the subject and told in the language of its reader', () => {
  const mail = alertMail('ann@example.com', [skipped], 'en');
  expect(mail.subject).toBe('Hunter: Skipped: buy CAT');
  expect(mail.text).toContain('Coin cap: this coin’s share of the follow is full');
  expect(alertMail('ann@example.com', [skipped], 'zh').text).toContain('单币上限：该币占比已满');
  expect(mail.html).toContain('Moon &lt;b&gt;');
});

it('several become one mail that names the newest and counts the others', () => {
  const mail = alertMail(
    'ann@example.com',
    Array.from({ length: DIGEST_LINES_MAX + 2 }, () => skipped),
    'en',
  );
  expect(mail.subject).toBe('Hunter: 12 notifications');
  expect(mail.text.match(/Skipped: buy CAT/g)).toHaveLength(DIGEST_LINES_MAX);
  expect(mail.text).toContain('and 2 more');
});

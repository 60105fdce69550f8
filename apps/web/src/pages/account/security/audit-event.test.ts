import { expect, it } from 'vitest';
import en from '../../../i18n/en/account.ts';
import zh from '../../../i18n/zh/account.ts';
import { lookUp, render } from '../../../i18n/messages.ts';
import type { Messages } from '../../../i18n/messages.ts';
import type { I18n, Translate } from '../../../i18n/i18n.ts';
import { eventDetail, eventName } from './audit-event.ts';
import { deviceName } from './device-name.ts';

const words =
  (messages: Messages, language: 'en' | 'zh'): Translate =>
  (key, params) =>
    render(lookUp(messages, key.split('.').slice(1)) ?? key, params, language);
const english: I18n = { language: 'en', t: words(en, 'en') };
const chinese: I18n = { language: 'zh', t: words(zh, 'zh') };

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

it.each([
  [chrome, 'Chrome on Windows', 'Windows 上的 Chrome'],
  [`${chrome} Edg/140.0.0.0`, 'Edge on Windows', 'Windows 上的 Edge'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15',
    'Safari on macOS',
    'macOS 上的 Safari',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/126.0 Mobile Safari/604.1',
    'Chrome on iPhone',
    'iPhone 上的 Chrome',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
    'Chrome on Android',
    'Android 上的 Chrome',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox on Linux', 'Linux 上的 Firefox'],
  ['node', 'Unknown device', '未知设备'],
  ['', 'Unknown device', '未知设备'],
])('%s is shown as a device that people know', (userAgent, en, zh) => {
  expect(deviceName(userAgent, english.t)).toBe(en);
  expect(deviceName(userAgent, chinese.t)).toBe(zh);
});

it('shows no raw codes, ids, places of figures or user agents of security events', () => {
  expect(eventDetail({ event: 'login', detail: chrome }, english)).toBe('Chrome on Windows');
  expect(eventDetail({ event: 'withdrawal-refused', detail: 'INSUFFICIENT_BALANCE' }, chinese)).toBe('余额不足');
  expect(eventDetail({ event: 'withdrawal-refused', detail: 'SOMETHING_NEW' }, english)).toBeNull();
  const refused = { event: 'withdrawal-refused', detail: 'WITHDRAWAL_NEW_ADDRESS' };
  expect(eventDetail(refused, english)).toBe('After a password reset withdrawals go only to addresses used before');
  expect(eventDetail(refused, chinese)).toBe('重置密码后只能提现到曾使用过的地址');
  expect(eventDetail({ ...refused, detail: 'RATE_LIMITED' }, english)).toBe('Too many requests');
  expect(eventDetail({ event: 'withdrawal-sent', detail: '5xKq1111111111111111abcd' }, english)).toBe('5xKq…abcd');
  expect(eventDetail({ event: 'withdrawal-cancelled', detail: '0190-uuid' }, english)).toBeNull();
  expect(eventName('withdrawal-cancelled', english.t)).toBe('Withdrawal canceled');
  expect(eventName('something-new', english.t)).toBe('Other event');
});

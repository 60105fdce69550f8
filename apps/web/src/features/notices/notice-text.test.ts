import { expect, it } from 'vitest';
import type { Translate } from '../../i18n/i18n.ts';
import { multipleText, noticeText } from './notice-text.ts';

const t: Translate = (key, params) => `${key} ${String(params?.['value'])}`;

it('takes the figure of an alert as it comes', () => {
  expect(noticeText({ trigger: 'volume-surge', detail: '12' }, t)).toBe('notices.detail.volume-surge 12');
});

it('takes of a creator’s yield the number alone', () => {
  expect(noticeText({ trigger: 'creator-buy', detail: 'yield 12.3456%' }, t)).toBe(
    'notices.detail.creator-buy +12.35%',
  );
  expect(noticeText({ trigger: 'creator-buy', detail: '' }, t)).toBe('notices.detail.creator-buy -');
});

it.each([
  ['3.4127', '3.41'],
  ['0.5', '0.50'],
  ['12.34', '12.3'],
  ['250.4', '250'],
  ['x', '-'],
])('prints a multiple of %s as %s', (value, text) => {
  expect(multipleText(value)).toBe(text);
});

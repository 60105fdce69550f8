import { describe, expect, it } from 'vitest';
import en from '../i18n/en/ui.ts';
import { lookUp, render } from '../i18n/messages.ts';
import type { Messages } from '../i18n/messages.ts';
import type { Translate } from '../i18n/i18n.ts';
import zh from '../i18n/zh/ui.ts';
import {
  checkField,
  decimalNumber,
  emailAddress,
  lengthBetween,
  oneOf,
  problemText,
  required,
  solanaAddress,
  valueBetween,
} from './field-rules.ts';
import type { FieldRule } from './field-rules.ts';

const translate =
  (words: Messages): Translate =>
  (key, params) =>
    render(lookUp(words, key.split('.').slice(1)) ?? key, params, 'zh');

describe('the generic rules', () => {
  it.each<[string, FieldRule, string, string]>([
    ['', required, '请输入名称', 'Please enter Name'],
    ['a', lengthBetween(2, 5), '名称至少为 2 个字符', 'Name must be at least 2 characters'],
    ['abcdef', lengthBetween(2, 5), '名称最多为 5 个字符', 'Name must be at most 5 characters'],
    ['abc', lengthBetween(6, 6), '名称须为 6 个字符', 'Name must be exactly 6 characters'],
    ['x', decimalNumber, '名称不是一个有效的数字', 'Name is not a valid number'],
    ['0', valueBetween('0.000000001', null), '名称不能小于 0.000000001', 'Name must be at least 0.000000001'],
    ['101', valueBetween(null, '100'), '名称不能大于 100', 'Name must be at most 100'],
    ['101', valueBetween('1', '100'), '名称须在 1 和 100 之间', 'Name must be between 1 and 100'],
    ['ann@', emailAddress, '名称不是一个有效的邮箱地址', 'Name is not a valid email address'],
    ['0OIl', solanaAddress, '名称不是一个有效的 Solana 地址', 'Name is not a valid Solana address'],
    ['c', oneOf(['a', 'b']), '名称必须是其中一个 [a, b]', 'Name must be one of [a, b]'],
  ])('say of %j what is wrong, in Chinese and in English', (text, rule, chinese, english) => {
    const problem = rule(text);
    expect(problem && problemText(problem, '名称', translate(zh))).toBe(chinese);
    expect(problem && problemText(problem, 'Name', translate(en))).toBe(english);
  });

  it.each<[string, FieldRule]>([
    ['a', required],
    ['100', valueBetween('1', '100')],
    ['0.1', decimalNumber],
    ['ann@example.com', emailAddress],
    ['So11111111111111111111111111111111111111112', solanaAddress],
    ['a', oneOf(['a'])],
  ])('accept %j', (text, rule) => {
    expect(rule(text)).toBeNull();
  });

  it('name the first problem only', () => {
    expect(checkField('', [required, decimalNumber])).toEqual({ rule: 'required' });
    expect(checkField('1', [required, decimalNumber])).toBeNull();
  });
});

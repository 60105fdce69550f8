import { describe, expect, it } from 'vitest';
import en from '../i18n/en/ui.ts';
import { lookUp, render } from '../i18n/messages.ts';
import type { Messages } from '../i18n/messages.ts';
import type { Translate } from '../i18n/i18n.ts';
import zh from '../i18n/zh/ui.ts';
import { checkField, lengthBetween, problemText, required, type FieldProblem } from './field-rules.ts';

const translate =
  (words: Messages): Translate =>
  (key, params) =>
    render(lookUp(words, key.split('.').slice(1)) ?? key, params, 'zh');

describe('the generic rules', () => {
  it.each<[FieldProblem | null, string, string]>([
    [required(' '), '请输入名称', 'Name is required'],
    [lengthBetween(2, 5)('a'), '名称至少为 2 个字符', 'Name must be at least 2 characters'],
    [lengthBetween(2, 5)('abcdef'), '名称最多为 5 个字符', 'Name must be at most 5 characters'],
    [lengthBetween(6, 6)('abc'), '名称须为 6 个字符', 'Name must be exactly 6 characters'],
    [{ rule: 'number' }, '名称不是一个有效的数字', 'Name is not a valid number'],
    [{ rule: 'rangeMin', min: '0.000000001' }, '名称不能小于 0.000000001', 'Name must be at least 0.000000001'],
    [{ rule: 'rangeMax', max: '100' }, '名称不能大于 100', 'Name must be at most 100'],
    [{ rule: 'range', min: '1', max: '100' }, '名称须在 1 和 100 之间', 'Name must be between 1 and 100'],
    [{ rule: 'email' }, '名称不是一个有效的邮箱地址', 'Name is not a valid email address'],
    [{ rule: 'address' }, '名称不是一个有效的 Solana 地址', 'Name is not a valid Solana address'],
    [{ rule: 'choice', values: 'a, b' }, '名称必须是其中一个 [a, b]', 'Name must be one of [a, b]'],
  ])('say of %j what is wrong, in Chinese and in English', (problem, chinese, english) => {
    expect(problem && problemText(problem, '名称', translate(zh))).toBe(chinese);
    expect(problem && problemText(problem, 'Name', translate(en))).toBe(english);
  });

  it('name the first problem only', () => {
    expect(checkField('', [required, lengthBetween(2, 5)])).toEqual({ rule: 'required' });
    expect(checkField('ab', [required, lengthBetween(2, 5)])).toBeNull();
  });
});

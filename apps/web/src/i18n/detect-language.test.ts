import { describe, expect, it } from 'vitest';
import { cookieValue, detectLanguage, supportedLanguage } from './detect-language.ts';
import type { LanguageSources } from './detect-language.ts';

const nothing: LanguageSources = {
  query: null,
  cookie: null,
  localStorage: null,
  sessionStorage: null,
  browser: [],
  html: null,
};

describe('the language', () => {
  it('falls back to English', () => {
    expect(detectLanguage(nothing)).toBe('en');
    expect(detectLanguage({ ...nothing, browser: ['fr-FR', 'de'], html: 'it' })).toBe('en');
  });

  const order = ['query', 'cookie', 'localStorage', 'sessionStorage', 'browser', 'html'] as const;
  it.each(order.map((source, at) => [source, order.slice(at + 1)] as const))(
    'is decided by %s before %s',
    (source, weaker) => {
      const sources = { ...nothing, [source]: source === 'browser' ? ['zh'] : 'zh' };
      for (const other of weaker) Object.assign(sources, { [other]: other === 'browser' ? ['en'] : 'en' });
      expect(detectLanguage(sources)).toBe('zh');
    },
  );

  it('passes over a source that names a language we do not have', () => {
    expect(detectLanguage({ ...nothing, query: 'fr', localStorage: 'zh-CN' })).toBe('zh');
    expect(detectLanguage({ ...nothing, browser: ['fr', 'zh-TW', 'en'] })).toBe('zh');
  });

  it('reads regional tags', () => {
    expect(['zh-Hans-CN', 'ZH_tw', ' en-US', 'english', ''].map(supportedLanguage)).toEqual([
      'zh',
      'zh',
      'en',
      null,
      null,
    ]);
  });

  it('reads its cookie among others', () => {
    expect(cookieValue('a=1; i18next=zh-CN; b=2', 'i18next')).toBe('zh-CN');
    expect(cookieValue('xi18next=zh', 'i18next')).toBeNull();
    expect(cookieValue('i18next=%E0%A4%A', 'i18next')).toBe('%E0%A4%A');
  });
});

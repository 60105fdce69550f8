// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { i18n, setLanguage, startI18n } from './i18n.ts';

it('follows a change of the language in another tab', async () => {
  await startI18n();
  await setLanguage('en');
  localStorage.setItem('i18nextLng', 'zh');
  dispatchEvent(new StorageEvent('storage', { key: 'i18nextLng', newValue: 'zh' }));
  await expect.poll(() => i18n.language()).toBe('zh');
  expect(document.documentElement.lang).toBe('zh-CN');
  expect(i18n.t('shell.search.clear')).not.toBe('shell.search.clear');
});

// The words of the interface, so that one test can drive it in either language.
import enAccount from '../apps/web/src/i18n/en/account.ts';
import enAuth from '../apps/web/src/i18n/en/auth.ts';
import enUi from '../apps/web/src/i18n/en/ui.ts';
import enCreate from '../apps/web/src/i18n/en/create.ts';
import enNewWallet from '../apps/web/src/i18n/en/newWallet.ts';
import enSearch from '../apps/web/src/i18n/en/search.ts';
import enShell from '../apps/web/src/i18n/en/shell.ts';
import enStrategies from '../apps/web/src/i18n/en/strategies.ts';
import enStrategy from '../apps/web/src/i18n/en/strategy.ts';
import enTrade from '../apps/web/src/i18n/en/trade.ts';
import { lookUp, render } from '../apps/web/src/i18n/messages.ts';
import type { KeysOf, TextParams } from '../apps/web/src/i18n/messages.ts';
import zhAccount from '../apps/web/src/i18n/zh/account.ts';
import zhAuth from '../apps/web/src/i18n/zh/auth.ts';
import zhUi from '../apps/web/src/i18n/zh/ui.ts';
import zhCreate from '../apps/web/src/i18n/zh/create.ts';
import zhNewWallet from '../apps/web/src/i18n/zh/newWallet.ts';
import zhSearch from '../apps/web/src/i18n/zh/search.ts';
import zhShell from '../apps/web/src/i18n/zh/shell.ts';
import zhStrategies from '../apps/web/src/i18n/zh/strategies.ts';
import zhStrategy from '../apps/web/src/i18n/zh/strategy.ts';
import zhTrade from '../apps/web/src/i18n/zh/trade.ts';

const en = {
  account: enAccount,
  auth: enAuth,
  ui: enUi,
  create: enCreate,
  newWallet: enNewWallet,
  search: enSearch,
  shell: enShell,
  strategies: enStrategies,
  strategy: enStrategy,
  trade: enTrade,
};
const zh = {
  account: zhAccount,
  auth: zhAuth,
  ui: zhUi,
  create: zhCreate,
  newWallet: zhNewWallet,
  search: zhSearch,
  shell: zhShell,
  strategies: zhStrategies,
  strategy: zhStrategy,
  trade: zhTrade,
};

export type Language = 'en' | 'zh';
type Catalogue = typeof en;
export type TextKey = { [Area in keyof Catalogue]: `${Area}.${KeysOf<Catalogue[Area]>}` }[keyof Catalogue];
export type Texts = (key: TextKey, params?: TextParams) => string;

export function textsIn(language: Language): Texts {
  const catalogue = language === 'en' ? en : zh;
  return (key, params) => {
    const text = lookUp(catalogue, key.split('.'));
    if (text === null) throw new Error(`there is no text ${key}`);
    return render(text, params, language);
  };
}

// The page's texts. It has both languages with it, because it can load nothing later.
import { createContext, useContext } from 'react';
import en from '../i18n/en/verify.ts';
import zh from '../i18n/zh/verify.ts';
import type { Language } from '../i18n/detect-language.ts';
import { lookUp, render } from '../i18n/messages.ts';
import type { KeysOf, TextParams } from '../i18n/messages.ts';

type VerifyKey = `verify.${KeysOf<typeof en>}`;
export type Translate = (key: VerifyKey, params?: TextParams) => string;

export function translator(language: Language): Translate {
  const messages = language === 'zh' ? zh : en;
  return (key, params) => render(lookUp(messages, key.split('.').slice(1))!, params, language);
}

export const Texts = createContext<Translate>(translator('en'));

export function useTexts(): Translate {
  return useContext(Texts);
}

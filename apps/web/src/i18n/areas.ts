// The catalogue by area. `ui` and `shell` load before the first render; every other area loads with the page that uses
// it. To add one: create en/<area>.ts and zh/<area>.ts and name it in `Areas`.
import type { Language } from './detect-language.ts';
import type { KeysOf, Messages } from './messages.ts';

type Areas = {
  ui: typeof import('./en/ui.ts').default;
  shell: typeof import('./en/shell.ts').default;
  search: typeof import('./en/search.ts').default;
  auth: typeof import('./en/auth.ts').default;
  terms: typeof import('./en/terms.ts').default;
  newWallet: typeof import('./en/newWallet.ts').default;
  mailed: typeof import('./en/mailed.ts').default;
  token: typeof import('./en/token.ts').default;
  trade: typeof import('./en/trade.ts').default;
  triggers: typeof import('./en/triggers.ts').default;
  notices: typeof import('./en/notices.ts').default;
  strategies: typeof import('./en/strategies.ts').default;
  strategy: typeof import('./en/strategy.ts').default;
  discover: typeof import('./en/discover.ts').default;
  create: typeof import('./en/create.ts').default;
  account: typeof import('./en/account.ts').default;
  reserves: typeof import('./en/reserves.ts').default;
  help: typeof import('./en/help.ts').default;
  alerts: typeof import('./en/alerts.ts').default;
  walletFollow: typeof import('./en/walletFollow.ts').default;
  wallet: typeof import('./en/wallet.ts').default;
  share: typeof import('./en/share.ts').default;
  app: typeof import('./en/app.ts').default;
  chain: typeof import('./en/chain.ts').default;
};

export type Area = keyof Areas;
/** `area.group.key` of every text there is. */
export type TextKey = { [A in Area]: `${A}.${KeysOf<Areas[A]>}` }[Area];

const files = import.meta.glob<{ default: Messages }>('./{en,zh}/*.ts');

export async function loadArea(language: Language, area: Area): Promise<Messages> {
  const load = files[`./${language}/${area}.ts`];
  if (!load) throw new Error(`There is no catalogue ${language}/${area}`);
  return (await load()).default;
}

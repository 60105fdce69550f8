// Why a call failed, and what the user is told about it. The table is the product's error catalogue: envelope codes
// first, then HTTP statuses for answers without an envelope, then failures that never reached the server.
import { errorCatalogue, refusalReasons } from '@hunter/contract/error-catalogue';
import type { ErrorName } from '@hunter/contract/error-catalogue';

export type Language = 'en' | 'zh';

export type FailureKind =
  /** The server answered with an envelope whose code is not 200. */
  | { kind: 'envelope'; code: number; msg: string; data: unknown }
  /** The server, or something before it, answered with an HTTP error and no envelope. */
  | { kind: 'http'; status: number }
  /** Nothing came back: offline, refused, or past the timeout. */
  | { kind: 'no-response' }
  /** The request could not even be built. */
  | { kind: 'setup' }
  /** The caller itself gave up, for example by leaving the page. */
  | { kind: 'aborted' };

export class ApiFailure extends Error {
  readonly reason: FailureKind;

  constructor(reason: FailureKind, options?: ErrorOptions) {
    super(reason.kind === 'envelope' ? `${reason.code} ${reason.msg}` : reason.kind, options);
    this.name = 'ApiFailure';
    this.reason = reason;
  }

  /** The name of the refusal in the error catalogue, for code that reacts to one in particular. */
  get refusal(): ErrorName | null {
    return this.reason.kind === 'envelope' ? (nameByCode.get(this.reason.code) ?? null) : null;
  }
}

const nameByCode = new Map<number, ErrorName>(
  (Object.keys(errorCatalogue) as ErrorName[]).map((name) => [errorCatalogue[name].code, name]),
);

/** Texts for failures that the server cannot describe itself. */
const failureTexts = {
  forbidden: { en: 'No permission', zh: '没有权限访问' },
  notFound: { en: 'Resource not found', zh: '请求的资源不存在' },
  requestFailed: { en: 'Request failed', zh: '请求失败' },
  serverError: { en: 'Server error', zh: '服务器错误' },
  networkError: { en: 'Network error', zh: '网络错误' },
  noResponse: { en: 'Network connection failed', zh: '网络连接失败' },
  setup: { en: 'Request configuration error', zh: '请求配置错误' },
} as const satisfies Record<string, Record<Language, string>>;

/** What the forms call the fields of a request. The others are filled in by the pages themselves. */
const fieldNames: Readonly<Record<string, Record<Language, string>>> = {
  amount: { en: 'Amount', zh: '金额' },
  capital: { en: 'Capital', zh: '本金' },
  coins: { en: 'Coins', zh: '代币' },
  confirmPassword: { en: 'Confirm password', zh: '确认密码' },
  description: { en: 'Description', zh: '描述' },
  duration: { en: 'Duration', zh: '期限' },
  email: { en: 'Email', zh: '邮箱' },
  inviteCode: { en: 'Invite code', zh: '邀请码' },
  keyword: { en: 'Search', zh: '搜索' },
  multiplier: { en: 'Multiplier', zh: '倍数' },
  name: { en: 'Name', zh: '名称' },
  oldPassword: { en: 'Current password', zh: '当前密码' },
  password: { en: 'Password', zh: '密码' },
  slippageBps: { en: 'Slippage', zh: '滑点' },
  toWallet: { en: 'To wallet', zh: '转入钱包' },
  tokenContractAddress: { en: 'Token address', zh: '代币地址' },
  verificationCode: { en: 'Verification code', zh: '验证码' },
};
const otherField: Record<Language, string> = { en: 'A field', zh: '某个字段' };

/** `coins.0.weight` is the first coin's weight: the form shows it as part of its field. */
function fieldName(path: string, language: Language): string {
  return (fieldNames[path.split('.')[0] ?? ''] ?? otherField)[language];
}

type FailureOutcome = { unauthorized: true } | { unauthorized: false; toast: string | null };

/** What the shared error handling does about a failure: leave for the login page, or show a text. */
export function failureOutcome(reason: FailureKind, language: Language): FailureOutcome {
  const toast = (text: string): FailureOutcome => ({ unauthorized: false, toast: text });
  switch (reason.kind) {
    case 'envelope':
      if (reason.code === 401) return { unauthorized: true };
      if (reason.code === 403) return toast(failureTexts.forbidden[language]);
      if (reason.code === 404) return toast(failureTexts.notFound[language]);
      return toast(refusalText(reason, language));
    case 'http':
      if (reason.status === 401) return { unauthorized: true };
      if (reason.status === 403) return toast(failureTexts.forbidden[language]);
      if (reason.status === 404) return toast(failureTexts.notFound[language]);
      if (reason.status === 500) return toast(failureTexts.serverError[language]);
      return toast(failureTexts.networkError[language]);
    case 'no-response':
      return toast(failureTexts.noResponse[language]);
    case 'setup':
      return toast(failureTexts.setup[language]);
    case 'aborted':
      break;
  }
  return { unauthorized: false, toast: null };
}

/** The text of any failure, for forms and error states that show it in place instead of as a toast. */
export function failureText(error: unknown, language: Language): string {
  if (!(error instanceof ApiFailure)) return failureTexts.requestFailed[language];
  const outcome = failureOutcome(error.reason, language);
  if (outcome.unauthorized) return errorCatalogue.UNAUTHENTICATED[language];
  return outcome.toast ?? failureTexts.requestFailed[language];
}

/** A code we know is said in the interface's language; for one we do not know the server's own words are the best we have. */
function refusalText(reason: { code: number; msg: string; data: unknown }, language: Language): string {
  const fromServer = reason.msg || failureTexts.requestFailed[language];
  const name = nameByCode.get(reason.code);
  if (name === undefined) return fromServer;
  return fill(errorCatalogue[name][language], contextOf(reason.data), language) ?? fromServer;
}

function contextOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}

/** Null where the answer lacks a value that the text needs. */
function fill(text: string, context: Record<string, unknown>, language: Language): string | null {
  let complete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = context[key];
    if (typeof value !== 'string' && typeof value !== 'number') {
      complete = false;
      return '';
    }
    if (key === 'field') return fieldName(String(value), language);
    return (key === 'reason' ? refusalReasons[value]?.[language] : undefined) ?? String(value);
  });
  return complete ? filled : null;
}

// Why a call failed, and what the user is told about it: envelope codes first, then HTTP statuses for answers without an
// envelope, then failures that never reached the server.
import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Language } from './refusals.ts';

export type { Language };

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
    return this.reason.kind === 'envelope' ? (refusals?.refusalOf(this.reason.code) ?? null) : null;
  }
}

type Refusals = typeof import('./refusals.ts');
let refusals: Refusals | null = null;

/** The catalogue of refusals is fetched with the first one, so that no page waits for texts that it may never show. */
export async function loadRefusals(): Promise<void> {
  refusals ??= await import('./refusals.ts');
}

/** Texts for failures that the server cannot describe itself. */
const failureTexts = {
  forbidden: { en: 'No permission', zh: '没有权限访问' },
  notFound: { en: 'Resource not found', zh: '请求的资源不存在' },
  requestFailed: { en: 'Request failed', zh: '请求失败' },
  serverError: { en: 'Server error', zh: '服务器错误' },
  networkError: { en: 'Network error', zh: '网络错误' },
  noResponse: { en: 'Network connection failed', zh: '网络连接失败' },
  loggedOut: { en: 'Please log in again', zh: '登录已过期，请重新登录' },
  setup: { en: 'Request configuration error', zh: '请求配置错误' },
} as const satisfies Record<string, Record<Language, string>>;

type FailureOutcome = { unauthorized: true } | { unauthorized: false; toast: string | null };

/** What the shared error handling does about a failure: leave for the login page, or show a text. */
export function failureOutcome(reason: FailureKind, language: Language): FailureOutcome {
  const toast = (text: string): FailureOutcome => ({ unauthorized: false, toast: text });
  switch (reason.kind) {
    case 'envelope':
      if (reason.code === 401) return { unauthorized: true };
      if (reason.code === 403) return toast(failureTexts.forbidden[language]);
      if (reason.code === 404) return toast(failureTexts.notFound[language]);
      return toast(refusals?.refusalText(reason, language) ?? (reason.msg || failureTexts.requestFailed[language]));
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
  if (outcome.unauthorized) return failureTexts.loggedOut[language];
  return outcome.toast ?? failureTexts.requestFailed[language];
}

// Attempts at money calls. Each has a key under which the server acts once; as long as no answer came, the same request is
// sent under the same key, also from a dialog that was closed meanwhile: whoever presses again asks, and nothing happens
// twice.
import type { CallName, CallReply, CallRequest } from '@hunter/contract/calls';
import { ApiFailure } from './api-failure.ts';
import { api } from './api.ts';
import { randomKey } from './random-key.ts';
import { session } from './session.ts';

type AttemptDeps = {
  call: (name: CallName, request: object, options: { idempotencyKey: string }) => Promise<unknown>;
  /** The session's token: what one user has left open must not be taken for the next one's. */
  token: () => string | null;
  nowMs: () => number;
};

/** Whoever asks for the same after this long means it anew. */
export const REMEMBERED_MS = 300_000;

type Open = {
  name: CallName;
  token: string | null;
  request: object;
  idempotencyKey: string;
  startedMs: number;
  running: Promise<unknown> | null;
};

export function createAttempts({ call, token, nowMs }: AttemptDeps) {
  const unanswered = new Map<string, Open>();
  const nameOf = (name: CallName, sameness: unknown) => JSON.stringify([name, token(), sameness]);

  async function run(of: string, open: Open, name: CallName, request: object): Promise<unknown> {
    // An attempt that was settled meanwhile may have given its place to a new one.
    const isOpen = () => unanswered.get(of) === open;
    try {
      const reply = await call(name, request, { idempotencyKey: open.idempotencyKey });
      if (isOpen()) unanswered.delete(of);
      return reply;
    } catch (error) {
      if (isOpen() && !isUnknown(error)) unanswered.delete(of);
      throw error;
    } finally {
      open.running = null;
    }
  }

  /**
   * `sameness` is what makes it the same attempt, where that is less than the whole request. One that is still running is
   * joined: asked a second time, the server could only say that it is busy with the first.
   */
  const attempt = <Name extends CallName>(
    name: Name,
    request: CallRequest<Name>,
    sameness: unknown = request,
  ): Promise<CallReply<Name>> => {
    const of = nameOf(name, sameness);
    const before = unanswered.get(of);
    const isRemembered = before && (before.running !== null || nowMs() - before.startedMs < REMEMBERED_MS);
    const fresh = () => ({
      name,
      token: token(),
      request,
      idempotencyKey: randomKey(),
      startedMs: nowMs(),
      running: null,
    });
    const open: Open = isRemembered ? before : fresh();
    unanswered.set(of, open);
    open.running ??= run(of, open, name, request);
    return open.running as Promise<CallReply<Name>>;
  };

  /** What came of it was learned another way, as from the stream: the same request is a new attempt from now on. */
  const settle = <Name extends CallName>(name: Name, request: CallRequest<Name>, sameness: unknown = request): void => {
    unanswered.delete(nameOf(name, sameness));
  };

  /** The same of all requests with these fields: what they may have made has been ended. */
  const settleAll = <Name extends CallName>(name: Name, fields: Partial<CallRequest<Name>>): void => {
    for (const [of, open] of unanswered) {
      const isSame = open.name === name && open.token === token();
      const hasFields = Object.entries(fields).every(([key, value]) => Reflect.get(open.request, key) === value);
      if (isSame && hasFields) unanswered.delete(of);
    }
  };

  return { attempt, settle, settleAll };
}

export const { attempt, settle, settleAll } = createAttempts({
  call: (name, request, options) => (api.call as AttemptDeps['call'])(name, request, options),
  token: () => session.storedToken(),
  nowMs: () => Date.now(),
});

/**
 * INTERNAL, IDEMPOTENCY_CONFLICT and REQUEST_IN_PROGRESS, by their codes, which never change meaning: the names are fetched
 * with the first refusal, and money must not depend on whether that came through.
 */
const UNKNOWN_OUTCOMES: readonly number[] = [500, 1003, 1004];

/** It may have happened or not: no answer came, or one that does not say. */
export function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  const { reason } = error;
  if (reason.kind === 'http') return reason.status >= 500;
  return reason.kind === 'no-response' || (reason.kind === 'envelope' && UNKNOWN_OUTCOMES.includes(reason.code));
}

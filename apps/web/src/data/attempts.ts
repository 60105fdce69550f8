// Attempts at money calls. Each has a key under which the server acts once; as long as no answer came, the same request is
// sent under the same key, also from a dialog that was closed meanwhile: whoever presses again asks, and nothing happens
// twice.
import type { CallName, CallReply, CallRequest } from '@hunter/contract/calls';
import { ApiFailure } from './api-failure.ts';
import { api } from './api.ts';
import type { CallOptions } from './api.ts';
import { randomKey } from './random-key.ts';
import { session } from './session.ts';

type AnyCall<Name extends CallName> = (
  name: Name,
  request: CallRequest<Name>,
  options: CallOptions,
) => Promise<CallReply<Name>>;

const unanswered = new Map<string, string>();

/** `sameness` is what makes it the same attempt, where that is less than the whole request. */
export async function attempt<Name extends CallName>(
  name: Name,
  request: CallRequest<Name>,
  sameness: unknown = request,
): Promise<CallReply<Name>> {
  const of = JSON.stringify([name, session.storedToken(), sameness]);
  const idempotencyKey = unanswered.get(of) ?? randomKey();
  unanswered.set(of, idempotencyKey);
  try {
    const reply = await (api.call as AnyCall<Name>)(name, request, { idempotencyKey });
    unanswered.delete(of);
    return reply;
  } catch (error) {
    if (!isUnknown(error)) unanswered.delete(of);
    throw error;
  }
}

/** It may have happened or not: no answer came, or one that does not say. */
export function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false;
  const { reason, refusal } = error;
  if (reason.kind === 'http') return reason.status >= 500;
  return (
    reason.kind === 'no-response' ||
    refusal === 'INTERNAL' ||
    refusal === 'REQUEST_IN_PROGRESS' ||
    refusal === 'IDEMPOTENCY_CONFLICT'
  );
}

// Withdrawals whose answer was lost. Each has the id of its review, so that the same one reviewed anew would be a second one: instead
// its first review comes back, also in a dialog that was opened since.
import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { compareDecimals } from '@hunter/domain/numbers/decimal';
import { REMEMBERED_MS } from '../../data/attempts.ts';
import { session } from '../../data/session.ts';

type Review = CallReply<'reviewWithdrawal'>;
type Request = CallRequest<'withdrawal'>;
type Lost = { review: Review; request: Request; token: string | null; startedMs: number };

const lost = new Map<string, Lost>();

export function keepLost(review: Review, request: Request, startedMs: number): void {
  // As long as the attempt is remembered, which counts from the first time.
  if (!lost.has(review.id)) lost.set(review.id, { review, request, token: session.storedToken(), startedMs });
}

/** An answer came. */
export function forgetLost(id: string): void {
  lost.delete(id);
}

/** What was sent and has to be sent again as it was; null where nothing is open. */
export function lostRequest(id: string): Request | null {
  return open().find(({ review }) => review.id === id)?.request ?? null;
}

/** The review of an open one that is the same. */
export function lostReview({ toWallet, amount, tokenContractAddress }: Wanted): Review | null {
  const same = open().find(
    ({ review }) =>
      review.toWallet === toWallet &&
      review.tokenContractAddress === (tokenContractAddress ?? null) &&
      compareDecimals(review.amount, amount) === 0,
  );
  return same?.review ?? null;
}

type Wanted = { toWallet: string; amount: string; tokenContractAddress?: string };

function open(): Lost[] {
  for (const [id, { startedMs }] of lost) if (Date.now() - startedMs >= REMEMBERED_MS) lost.delete(id);
  const token = session.storedToken();
  return [...lost.values()].filter((each) => each.token === token);
}

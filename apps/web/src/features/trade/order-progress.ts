// The life of one order as the panel shows it:
//
//   idle ──submit──► signing ──told by the stream──► sent ──answer──► confirmed
//                       │                              └────────────► refused
//                       ├──answer: still on its way──► sent
//                       ├──refused──► refused
//                       └──no answer──► lost ──ask again, same key──► signing
import type { CallReply, CallRequest } from '@hunter/contract/calls';

export type Order = CallReply<'getOrder'>;
export type TransferRequest = CallRequest<'tokenTransfer'>;
/** One attempt. Repeating it under the same key cannot act twice. */
export type Attempt = { key: string; request: TransferRequest };

export type OrderProgress =
  | { phase: 'idle' }
  | { phase: 'signing'; attempt: Attempt }
  | { phase: 'sent'; attempt: Attempt; orderId: string; txHash: string | null }
  | { phase: 'confirmed'; order: Order }
  | { phase: 'refused'; refusal: { error: unknown } | { name: string }; txHash: string | null }
  | { phase: 'lost'; attempt: Attempt };

export type ProgressEvent =
  | { type: 'submit'; attempt: Attempt }
  | { type: 'order'; order: Order }
  | { type: 'refused'; error: unknown }
  | { type: 'lost' }
  | { type: 'reset' };

export const idle: OrderProgress = { phase: 'idle' };

export function nextProgress(progress: OrderProgress, event: ProgressEvent): OrderProgress {
  switch (event.type) {
    case 'submit':
      return { phase: 'signing', attempt: event.attempt };
    case 'order':
      return withOrder(progress, event.order);
    case 'refused':
      return { phase: 'refused', refusal: { error: event.error }, txHash: hashOf(progress) };
    case 'lost':
      // The stream may have told how it went before the answer was given up.
      return progress.phase === 'signing' || progress.phase === 'sent'
        ? { phase: 'lost', attempt: progress.attempt }
        : progress;
    case 'reset':
      return isRunning(progress) ? progress : idle;
    default:
      return event satisfies never;
  }
}

/** An order of the stream belongs to the running attempt when token, side and book agree and no other one was taken. */
function withOrder(progress: OrderProgress, order: Order): OrderProgress {
  if (!isRunning(progress)) return progress;
  const { request } = progress.attempt;
  const same =
    order.tokenContractAddress === request.tokenContractAddress &&
    order.side === request.side &&
    (request.bookId === undefined || order.bookId === request.bookId) &&
    (progress.phase !== 'sent' || progress.orderId === order.id);
  if (!same) return progress;
  switch (order.status) {
    case 'pending':
      return progress;
    case 'sent':
      return { phase: 'sent', attempt: progress.attempt, orderId: order.id, txHash: order.txHash };
    case 'confirmed':
    case 'finalized':
      return { phase: 'confirmed', order };
    case 'failed':
    case 'dead':
      return { phase: 'refused', refusal: { name: order.error ?? 'TRADE_FAILED' }, txHash: order.txHash };
    default:
      return order.status satisfies never;
  }
}

export function isRunning(
  progress: OrderProgress,
): progress is Extract<OrderProgress, { phase: 'signing' | 'sent' | 'lost' }> {
  return progress.phase === 'signing' || progress.phase === 'sent' || progress.phase === 'lost';
}

function hashOf(progress: OrderProgress): string | null {
  return progress.phase === 'sent' ? progress.txHash : null;
}

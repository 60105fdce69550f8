// The life of one order as the panel shows it:
//
//   idle ──submit──► signing ──told by the stream──► sent ──answer──► confirmed
//                       │                              └────────────► refused
//                       ├──answer: not sent yet──► signing, with its number
//                       ├──answer: still on its way──► sent
//                       ├──refused──► refused
//                       └──no answer──► lost ──ask again, same key──► signing
import type { CallReply, CallRequest } from '@hunter/contract/calls';
import { compareDecimals } from '@hunter/domain/numbers/decimal';

export type Order = CallReply<'getOrder'>;
export type TransferRequest = CallRequest<'tokenTransfer'>;
export type Refusal = { error: unknown } | { name: string };

export type OrderProgress =
  | { phase: 'idle' }
  | { phase: 'signing'; request: TransferRequest; orderId?: string }
  | { phase: 'sent'; request: TransferRequest; orderId: string; txHash: string | null }
  | { phase: 'confirmed'; request: TransferRequest; order: Order }
  | { phase: 'refused'; request: TransferRequest; refusal: Refusal; txHash: string | null }
  | { phase: 'lost'; request: TransferRequest };

type ProgressEvent =
  | { type: 'submit'; request: TransferRequest }
  /** The server's answer to that request, or about the order that it became. */
  | { type: 'answer'; request: TransferRequest; order: Order }
  /** One of the user's orders, as the stream tells of them. */
  | { type: 'told'; order: Order }
  | { type: 'refused'; request: TransferRequest; error: unknown }
  | { type: 'lost'; request: TransferRequest }
  | { type: 'reset' };

export const idle: OrderProgress = { phase: 'idle' };

export function nextProgress(progress: OrderProgress, event: ProgressEvent): OrderProgress {
  switch (event.type) {
    case 'submit':
      return { phase: 'signing', request: event.request };
    case 'answer':
      if (!isRunning(progress) || !isAbout(progress, event)) return progress;
      return event.order.status === 'pending' ? withNumber(progress, event.order) : withOrder(progress, event.order);
    case 'told':
      return isRunning(progress) && isSame(progress, event.order) ? withOrder(progress, event.order) : progress;
    case 'refused': {
      if (progress.phase === 'idle' || !isAbout(progress, event)) return progress;
      const { request } = progress;
      return { phase: 'refused', request, refusal: { error: event.error }, txHash: hashOf(progress) };
    }
    case 'lost':
      // The stream may have told how it went before the answer was given up.
      return isUnderWay(progress) && isAbout(progress, event) ? { phase: 'lost', request: progress.request } : progress;
    case 'reset':
      return isRunning(progress) ? progress : idle;
    default:
      return event satisfies never;
  }
}

/**
 * The stream may have told how an order went, and the next one begun, before the answer to it came: that says nothing about the
 * next. Each order is placed with a request of its own, also where it asks for the same.
 */
function isAbout(progress: { request: TransferRequest }, event: { request: TransferRequest }): boolean {
  return progress.request === event.request;
}

type Running = Extract<OrderProgress, { phase: 'signing' | 'sent' | 'lost' }>;

/**
 * An order of the stream is taken for the running one by its number, or before that is known by token, side, book and amount:
 * a trigger may fire for the same token in the moment in which somebody sells by hand.
 */
function isSame(progress: Running, order: Order): boolean {
  const orderId = orderIdOf(progress);
  if (orderId !== undefined) return orderId === order.id;
  const { request } = progress;
  return (
    order.tokenContractAddress === request.tokenContractAddress &&
    order.side === request.side &&
    (request.bookId === undefined || order.bookId === request.bookId) &&
    (order.amountIn === null || compareDecimals(order.amountIn, request.amount) === 0)
  );
}

/** The server may answer before the order is sent: from then on it is followed by its number. */
function withNumber(progress: Running, { id }: Order): OrderProgress {
  return orderIdOf(progress) === undefined ? { phase: 'signing', request: progress.request, orderId: id } : progress;
}

function withOrder(progress: Running, order: Order): OrderProgress {
  const { request } = progress;
  switch (order.status) {
    case 'pending':
      return progress;
    case 'sent':
      return { phase: 'sent', request, orderId: order.id, txHash: order.txHash };
    case 'confirmed':
    case 'finalized':
      return { phase: 'confirmed', request, order };
    case 'failed':
    case 'dead':
      return { phase: 'refused', request, refusal: { name: order.error ?? 'TRADE_FAILED' }, txHash: order.txHash };
    default:
      return order.status satisfies never;
  }
}

/** What became of it is not known yet. */
export function isRunning(progress: OrderProgress): progress is Running {
  return isUnderWay(progress) || progress.phase === 'lost';
}

/** Being signed or sent: in a moment it will be known, so that it is worth waiting for. */
export function isUnderWay(progress: OrderProgress): progress is Extract<OrderProgress, { phase: 'signing' | 'sent' }> {
  return progress.phase === 'signing' || progress.phase === 'sent';
}

/** Under which the order can be asked for. */
export function orderIdOf(progress: OrderProgress): string | undefined {
  return progress.phase === 'sent' || progress.phase === 'signing' ? progress.orderId : undefined;
}

function hashOf(progress: OrderProgress): string | null {
  return progress.phase === 'sent' ? progress.txHash : null;
}

import { useCallback, useEffect, useReducer, useRef } from 'react';
import { ApiFailure } from '../../data/api-failure.ts';
import { api } from '../../data/api.ts';
import { randomKey } from '../../data/random-key.ts';
import { useStream } from '../../data/stream.ts';
import { useUser } from '../../data/session.ts';
import { idle, nextProgress } from './order-progress.ts';
import type { Attempt, Order, OrderProgress, TransferRequest } from './order-progress.ts';

const ASK_EVERY_MS = 1_500;

/** Places an order and follows it until it is confirmed or refused. */
export function useOrder(onConfirmed: (order: Order) => void): {
  progress: OrderProgress;
  submit: (request: TransferRequest) => void;
  askAgain: () => void;
  reset: () => void;
} {
  const [progress, dispatch] = useReducer(nextProgress, idle);
  const loggedIn = useUser((user) => user !== null);
  useStream('orders', loggedIn ? 'me' : null, (order) => dispatch({ type: 'order', order }));

  const run = useCallback(async (attempt: Attempt) => {
    dispatch({ type: 'submit', attempt });
    try {
      const order = await api.call('tokenTransfer', attempt.request, { idempotencyKey: attempt.key });
      dispatch({ type: 'order', order });
    } catch (error) {
      const lost = error instanceof ApiFailure && error.reason.kind === 'no-response';
      dispatch(lost ? { type: 'lost' } : { type: 'refused', error });
    }
  }, []);

  // An order that takes long is asked for, in case the stream is down.
  const orderId = progress.phase === 'sent' ? progress.orderId : null;
  useEffect(() => {
    if (orderId === null) return undefined;
    const timer = setInterval(() => {
      api
        .call('getOrder', { id: orderId }, { quiet: true })
        .then((order) => dispatch({ type: 'order', order }))
        .catch(() => {
          // The next question may be answered.
        });
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [orderId]);

  const confirmed = progress.phase === 'confirmed' ? progress.order : null;
  const latest = useRef(onConfirmed);
  useEffect(() => {
    latest.current = onConfirmed;
  });
  useEffect(() => {
    if (confirmed) latest.current(confirmed);
  }, [confirmed]);

  return {
    progress,
    submit: useCallback((request) => void run({ key: randomKey(), request }), [run]),
    askAgain: () => {
      if (progress.phase === 'lost') void run(progress.attempt);
    },
    reset: useCallback(() => dispatch({ type: 'reset' }), []),
  };
}

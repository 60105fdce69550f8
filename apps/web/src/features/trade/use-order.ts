// The order of a page: placed, and followed until it is confirmed or refused. Whoever leaves the page meanwhile, or closes the panel
// that shows it, is told by a toast what came of it.
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { api } from '../../data/api.ts';
import { attempt, isUnknown, settle } from '../../data/attempts.ts';
import { useMyStream } from '../../data/stream.ts';
import { i18n } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import { idle, isRunning, isUnderWay, nextProgress, orderIdOf } from './order-progress.ts';
import type { Order, OrderProgress, TransferRequest } from './order-progress.ts';
import { refusalText } from './refusal-text.ts';

const ASK_EVERY_MS = 1_500;

export type RunningOrder = {
  progress: OrderProgress;
  submit: (request: TransferRequest) => void;
  /** After no answer: goes under the key of the attempt, so that it cannot act twice. */
  askAgain: () => void;
  reset: () => void;
  /** By what shows the order, while it is on the screen: then there is no need to tell how it ends. */
  watch: () => () => void;
};

export function useOrder(onConfirmed: (order: Order) => void): RunningOrder {
  const [progress, dispatch] = useReducer(nextProgress, idle);
  useMyStream('orders', (order) => dispatch({ type: 'told', order }));

  const shown = useRef({ progress, onConfirmed });
  useEffect(() => {
    shown.current = { progress, onConfirmed };
  });
  const page = useRef({ isLeft: false, asking: 0 });
  useEffect(() => {
    const here = page.current;
    here.isLeft = false;
    return () => {
      here.isLeft = true;
      // An answer that is still to come will tell; where it came and told no end, nobody here follows it any more.
      if (here.asking === 0 && isUnderWay(shown.current.progress)) tellOutcome(shown.current.progress);
    };
  }, []);

  const submit = useCallback((request: TransferRequest) => {
    const here = page.current;
    dispatch({ type: 'submit', request });
    here.asking += 1;
    attempt('tokenTransfer', request)
      .finally(() => {
        here.asking -= 1;
      })
      .then(
        (order) => {
          dispatch({ type: 'answer', request, order });
          // The stream may have told it before the page was left.
          if (!here.isLeft || !isRunning(shown.current.progress)) return;
          const outcome = nextProgress({ phase: 'signing', request }, { type: 'answer', request, order });
          tellOutcome(outcome);
          if (outcome.phase === 'confirmed') shown.current.onConfirmed(order);
        },
        // The shared error handling has told it, here and elsewhere.
        (error: unknown) =>
          dispatch(isUnknown(error) ? { type: 'lost', request } : { type: 'refused', request, error }),
      );
  }, []);

  useAsking(orderIdOf(progress), progress.phase === 'idle' ? undefined : progress.request, dispatch);

  // However its end became known: the same order once more is a new one, and not a question about this one.
  const ended = progress.phase === 'confirmed' || progress.phase === 'refused' ? progress.request : null;
  useEffect(() => {
    if (ended) settle('tokenTransfer', ended);
  }, [ended]);

  const watch = useUnseenEnds(progress);
  const confirmed = progress.phase === 'confirmed' ? progress.order : null;
  useEffect(() => {
    if (!confirmed) return;
    toast.success(i18n.t('trade.success'));
    shown.current.onConfirmed(confirmed);
  }, [confirmed]);

  return {
    progress,
    submit,
    askAgain: () => {
      if (progress.phase === 'lost') submit(progress.request);
    },
    reset: useCallback(() => dispatch({ type: 'reset' }), []),
    watch,
  };
}

/** Tells of an end that nobody sees but a success, which is told in any case. */
function useUnseenEnds(progress: OrderProgress): RunningOrder['watch'] {
  const watchers = useRef(0);
  const refusal = progress.phase === 'refused' ? progress.refusal : null;
  const isLost = progress.phase === 'lost';
  useEffect(() => {
    if (watchers.current > 0) return;
    // Why the call itself was refused, the shared error handling has told.
    if (refusal && 'name' in refusal) toast.error(refusalText(refusal, i18n.language()));
    if (isLost) toast.info(i18n.t('trade.progress.lost'));
  }, [refusal, isLost]);
  return useCallback(() => {
    watchers.current += 1;
    return () => {
      watchers.current -= 1;
    };
  }, []);
}

function tellOutcome(progress: OrderProgress): void {
  if (progress.phase === 'confirmed') toast.success(i18n.t('trade.success'));
  else if (progress.phase === 'refused') toast.error(refusalText(progress.refusal, i18n.language()));
  else toast.info(i18n.t('trade.sent'));
}

/** An order that takes long is asked for, in case the stream is down. */
function useAsking(
  orderId: string | undefined,
  request: TransferRequest | undefined,
  dispatch: (event: { type: 'answer'; request: TransferRequest; order: Order }) => void,
): void {
  useEffect(() => {
    if (orderId === undefined || request === undefined) return undefined;
    const timer = setInterval(() => {
      api
        .call('getOrder', { id: orderId }, { quiet: true })
        .then((order) => dispatch({ type: 'answer', request, order }))
        .catch(() => {
          // The next question may be answered.
        });
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [orderId, request, dispatch]);
}

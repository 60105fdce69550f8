import { Refusal } from './refusal.ts';
import {
  optionalSlippage,
  requireAddress,
  requireAmount,
  requireBase64,
  requireObject,
  requireText,
} from './request-fields.ts';
import type { Venue } from './venue.ts';

/** `GET /swap/v2/order` */
export function answerOrder(venue: Venue, query: URLSearchParams): unknown {
  const taker = query.get('taker');
  return venue.swaps.order({
    inputMint: requireAddress(query.get('inputMint'), 'inputMint'),
    outputMint: requireAddress(query.get('outputMint'), 'outputMint'),
    amount: requireAmount(query.get('amount'), 'amount'),
    taker: taker === null || taker === '' ? null : requireAddress(taker, 'taker'),
    slippageBps: optionalSlippage(query.get('slippageBps')),
    memo: optionalMemo(query.get('memo')),
  });
}

/** Printable and short: it must fit one length byte. */
function optionalMemo(text: string | null): string | null {
  if (text === null || text === '') return null;
  if (!/^[\x20-\x7e]{1,100}$/.test(text))
    throw new Refusal('INVALID_REQUEST', 'Invalid memo: 1 to 100 printable characters');
  return text;
}

/** `POST /swap/v2/execute` */
export async function answerExecute(venue: Venue, body: unknown): Promise<unknown> {
  const fields = requireObject(body);
  const requestId = requireText(fields['requestId'], 'requestId');
  const signed = requireBase64(fields['signedTransaction'], 'signedTransaction');
  const result = await venue.swaps.execute(requestId, signed);
  return {
    ...result,
    inputAmountResult: result.totalInputAmount,
    outputAmountResult: result.totalOutputAmount,
    swapEvents: [],
  };
}

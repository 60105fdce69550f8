import { PARTICIPANTS_MAX } from './round-desk.ts';
import { Refusal } from './refusal.ts';
import {
  optionalSlippage,
  requireAddress,
  requireAmount,
  requireBase64,
  requireList,
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
  });
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

/** `POST /swap/v2/round` */
export async function answerRound(venue: Venue, body: unknown): Promise<unknown> {
  const fields = requireObject(body);
  const { side } = fields;
  if (side !== 'buy' && side !== 'sell') throw new Refusal('INVALID_REQUEST', 'Invalid side: buy or sell');
  const slippageBps = optionalSlippage(fields['slippageBps']);
  if (slippageBps === null) throw new Refusal('INVALID_REQUEST', 'Invalid slippageBps: 0 to 10000');
  const lead = requireObject(fields['lead']);
  const ids = new Set(['lead']);
  const participants = requireList(fields['participants'], 'participants', PARTICIPANTS_MAX).map((entry) => {
    const row = requireObject(entry);
    const id = requireText(row['id'], 'participants.id');
    if (ids.has(id)) throw new Refusal('INVALID_REQUEST', `Invalid participants.id: ${id} appears twice`);
    ids.add(id);
    return {
      id,
      taker: requireAddress(row['taker'], 'participants.taker'),
      amount: requireAmount(row['amount'], 'participants.amount'),
    };
  });
  return venue.rounds.open({
    mint: requireAddress(fields['mint'], 'mint'),
    side,
    slippageBps,
    lead: { taker: requireAddress(lead['taker'], 'lead.taker'), amount: requireAmount(lead['amount'], 'lead.amount') },
    participants,
  });
}

/** `POST /swap/v2/round/execute` */
export async function answerRoundExecute(venue: Venue, body: unknown): Promise<unknown> {
  const fields = requireObject(body);
  const roundId = requireText(fields['roundId'], 'roundId');
  const transactions = requireList(fields['transactions'], 'transactions', PARTICIPANTS_MAX + 1).map((entry) => {
    const row = requireObject(entry);
    return {
      id: requireText(row['id'], 'transactions.id'),
      signed: requireBase64(row['signedTransaction'], 'transactions.signedTransaction'),
    };
  });
  return { lists: await venue.rounds.execute(roundId, transactions) };
}

/** `POST /swap/v2/round/release`; releasing twice or what has ended is fine. */
export function answerRoundRelease(venue: Venue, body: unknown): unknown {
  const roundId = requireText(requireObject(body)['roundId'], 'roundId');
  venue.rounds.release(roundId);
  return { roundId, released: true };
}

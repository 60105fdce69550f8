import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';
import { loadFollowOf } from '../strategies/follow-store.ts';
import type { Strategies } from '../strategies/strategies.ts';
import { loadStrategy } from '../strategies/strategy-store.ts';
import { loadCopyProof } from '../trading/rounds/round-memo.ts';

/** A proof is made from all allocations of its round, so one at a time is made and few wait. */
const limit = new ConcurrencyLimit(1, 20);

/** The user's own part of an executed round, to be checked against its memo on chain. */
export async function loadMyCopyProof(
  deps: Strategies,
  followKey: (leafId: string) => Uint8Array,
  userId: string,
  { slug, id }: CallParsedRequest<'getCopyProof'>,
): Promise<CallReply<'getCopyProof'>> {
  const { id: strategyId } = await loadStrategy(deps.database, slug);
  const follow = await loadFollowOf(deps.database, userId, strategyId);
  if (!follow) throw new AppError('NOT_FOUND');
  const made = await limit.run(() => loadCopyProof(deps.database, followKey, { orderId: id, followId: follow.id }));
  if (made === null) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
  if (made.value === null) throw new AppError('NOT_FOUND');
  return made.value;
}

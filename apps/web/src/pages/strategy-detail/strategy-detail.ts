import type { CallReply } from '@hunter/contract/calls';

export type StrategyDetail = CallReply<'getStrategyDetail'>;

/** The creator's way to a token leads into the strategy's book; everybody else trades in the own one. */
export function bookSearch({ bookId }: Pick<StrategyDetail, 'bookId'>): { book?: string } {
  return bookId === null ? {} : { book: bookId };
}

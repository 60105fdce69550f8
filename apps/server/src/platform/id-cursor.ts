import { AppError } from '@hunter/contract/app-error';

/** The cursor of a list that is paged by a number, the last row's; null for the first page. */
export function readIdCursor(cursor: string | undefined): bigint | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,18}$/.test(cursor)) throw new AppError('INVALID_INPUT', { field: 'cursor', reason: 'format' });
  return BigInt(cursor);
}

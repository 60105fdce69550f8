export type Sort = { key: string; direction: 'asc' | 'desc' };

/** A new column starts with the largest on top, which is what one looks for in figures; a second click turns it. */
export function nextSort(sort: Sort | null, key: string): Sort {
  return { key, direction: sort?.key === key && sort.direction === 'desc' ? 'asc' : 'desc' };
}

import { AppError } from '@hunter/contract/app-error';
import type { Handlers } from '../handlers.ts';

/** Not built yet: nothing can be placed, so there is nothing to list. */
export function triggerHandlers() {
  const unavailable = () => Promise.reject(new AppError('UNAVAILABLE'));
  return {
    placeTrigger: unavailable,
    previewTrigger: unavailable,
    editTrigger: unavailable,
    pauseTrigger: unavailable,
    resumeTrigger: unavailable,
    cancelTrigger: unavailable,
    cancelAllTriggers: async () => ({ canceled: 0 }),
    getMyTriggers: async ({ pageNo, pageSize }) => ({ lists: [], total: 0, pageNo, pageSize }),
  } satisfies Partial<Handlers>;
}

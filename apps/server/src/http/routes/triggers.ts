import { placeTriggers } from '../../triggers/place-triggers.ts';
import { previewTriggers } from '../../triggers/preview-triggers.ts';
import {
  cancelAllTriggers,
  cancelTrigger,
  editTrigger,
  loadMyTriggers,
  pauseTrigger,
  resumeTrigger,
} from '../../triggers/change-triggers.ts';
import type { Triggers } from '../../triggers/triggers.ts';
import type { Handlers } from '../handlers.ts';

export function triggerHandlers(triggers: Triggers) {
  return {
    placeTrigger: (request, { session, idempotencyKey, requestId }) =>
      placeTriggers(triggers, request, { key: idempotencyKey ?? requestId, userId: session.userId }),
    previewTrigger: (request, { session }) => previewTriggers(triggers, request, session.userId),
    editTrigger: (request, { session }) => editTrigger(triggers, session.userId, request),
    pauseTrigger: ({ id }, { session }) => pauseTrigger(triggers, session.userId, id),
    resumeTrigger: ({ id }, { session }) => resumeTrigger(triggers, session.userId, id),
    cancelTrigger: ({ id }, { session }) => cancelTrigger(triggers, session.userId, id),
    cancelAllTriggers: (request, { session }) => cancelAllTriggers(triggers, session.userId, request),
    getMyTriggers: (request, { session }) => loadMyTriggers(triggers, session.userId, request),
  } satisfies Partial<Handlers>;
}

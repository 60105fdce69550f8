import type { CallReply } from '@hunter/contract/calls';
import { ALERT_CHANNELS, ALERT_KINDS } from '@hunter/domain/alerts/alert-kind';
import type { Address } from '@hunter/solana/address';
import { loadAlerts, loadChoices, markRead, saveChoice } from '../../alerts/alert-store.ts';
import type { Alerts } from '../../alerts/alerts.ts';
import type { AlertChannels } from '../../alerts/alert-channels.ts';
import { createPriceAlert, deletePriceAlert, loadPriceAlerts, type PriceAlerts } from '../../alerts/price-alerts.ts';
import { readIdCursor } from '../../platform/id-cursor.ts';
import type { Database } from '../../platform/postgres.ts';
import type { Handlers } from '../handlers.ts';

export type AlertRouteDeps = {
  database: Database;
  alerts: Alerts;
  prices: Pick<PriceAlerts, 'look'>;
  channels: AlertChannels;
  /** Refuses tokens that the market does not know. */
  symbolOf: (mint: Address) => Promise<string>;
};

export function alertHandlers({ database, alerts, prices, channels, symbolOf }: AlertRouteDeps) {
  const choices = async (userId: string): Promise<CallReply<'getMyAlertChoices'>> => {
    const chosen = (await loadChoices(database, [userId])).get(userId)!;
    const reachable = (await alerts.reachable([userId])).get(userId)!;
    return {
      kinds: ALERT_KINDS.map((kind) => ({
        kind,
        channels: [...chosen.get(kind)!],
      })),
      available: ALERT_CHANNELS.filter((channel) => channel === 'app' || reachable.has(channel)),
    };
  };
  return {
    getMyAlerts: ({ cursor }, { session }) => loadAlerts(database, session.userId, readIdCursor(cursor)),
    readMyAlerts: ({ id }, { session }) => markRead(database, session.userId, BigInt(id)),
    getMyAlertChoices: (_request, { session }) => choices(session.userId),
    saveMyAlertChoice: async ({ kind, channels }, { session }) => {
      await saveChoice(database, session.userId, kind, channels);
      return choices(session.userId);
    },
    getMyAlertChannels: (_request, { session }) => channels.load(session.userId),
    addPushDevice: (request, { session, device }) => channels.addPushDevice({ ...session, userAgent: device }, request),
    removePushDevice: ({ id }, { session }) => channels.removePushDevice(session.userId, id),
    connectTelegram: (_request, { session }) => channels.connectTelegram(session),
    disconnectTelegram: (_request, { session }) => channels.disconnectTelegram(session.userId),
    getMyPriceAlerts: ({ tokenContractAddress }, { session }) =>
      loadPriceAlerts(database, session.userId, tokenContractAddress),
    createPriceAlert: async (request, { session }) => {
      const symbol = await symbolOf(request.tokenContractAddress);
      const created = await createPriceAlert(database, session.userId, request, symbol);
      await prices.look(request.tokenContractAddress);
      return created;
    },
    deletePriceAlert: async ({ id }, { session }) => {
      await deletePriceAlert(database, session.userId, id);
      return {};
    },
  } satisfies Partial<Handlers>;
}

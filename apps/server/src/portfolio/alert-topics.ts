import type { Alerts } from '../alerts/alerts.ts';
import { ALERTS_TOPIC, raiseAlerts, type AlertsRaised } from '../alerts/raise-alerts.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import type { OutboxHandler } from '../platform/outbox.ts';
import type { Database } from '../platform/postgres.ts';
import { FOLLOWS_JOINED_TOPIC, type FollowsJoined } from '../strategies/copying/join-follows.ts';
import { ROUND_ENDED_TOPIC, type RoundEnded } from '../trading/order-events.ts';
import { loadJoinAlerts, loadJoinedFollows } from './join-alerts.ts';
import { loadRoundAlerts } from './round-alerts.ts';

/** The outbox topics that end as alerts. What knows too little to tell it itself says so here. */
export function alertTopics(deps: {
  database: Database;
  tokens: TokenFacts;
  alerts: Pick<Alerts, 'onRaised'>;
}): Record<string, OutboxHandler> {
  const { database, tokens, alerts } = deps;
  const raiseJoinAlerts = async (followIds: readonly string[]) => {
    await database.transaction(async (sql) => raiseAlerts(sql, await loadJoinAlerts(sql, tokens, followIds)));
  };
  return {
    [ALERTS_TOPIC]: (raised: AlertsRaised) => alerts.onRaised(raised),
    [ROUND_ENDED_TOPIC]: async ({ orderId }: RoundEnded) => {
      const told = await loadRoundAlerts(database, tokens, orderId);
      await database.transaction((sql) => raiseAlerts(sql, told));
      await raiseJoinAlerts(await loadJoinedFollows(database, orderId));
    },
    [FOLLOWS_JOINED_TOPIC]: ({ followIds }: FollowsJoined) => raiseJoinAlerts(followIds),
  };
}

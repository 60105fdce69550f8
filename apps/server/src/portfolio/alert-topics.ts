import type { Alerts } from '../alerts/alerts.ts';
import { ALERTS_TOPIC, raiseAlerts, type AlertsRaised } from '../alerts/raise-alerts.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import type { OutboxHandler } from '../platform/outbox.ts';
import type { Database } from '../platform/postgres.ts';
import { ROUND_ENDED_TOPIC, type RoundEnded } from '../trading/order-events.ts';
import { loadRoundAlerts } from './round-alerts.ts';

/** The outbox topics that end as alerts. What knows too little to tell it itself says so here. */
export function alertTopics(deps: {
  database: Database;
  tokens: TokenFacts;
  alerts: Pick<Alerts, 'onRaised'>;
}): Record<string, OutboxHandler> {
  const { database, tokens, alerts } = deps;
  return {
    [ALERTS_TOPIC]: (raised: AlertsRaised) => alerts.onRaised(raised),
    [ROUND_ENDED_TOPIC]: async ({ orderId }: RoundEnded) => {
      const told = await loadRoundAlerts(database, tokens, orderId);
      await database.transaction((sql) => raiseAlerts(sql, told));
    },
  };
}

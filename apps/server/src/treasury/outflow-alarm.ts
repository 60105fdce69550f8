import { Counter, type Registry } from 'prom-client';
import type { Log } from '../platform/log.ts';
import type { MovementRow } from './wallet-movements.ts';

/** Money that left without our signature is the user's own doing or a theft; a person must look at it either way. */
export function createOutflowAlarm(registry: Registry, log: Log): (row: MovementRow, covered: boolean) => void {
  const counter = new Counter({
    name: 'hunter_external_outflows_total',
    help: 'Outflows from wallets that Hunter did not sign.',
    registers: [registry],
  });
  const told = new Set<string>();
  return ({ id, walletAddress, signature, asset, amount }, covered) => {
    const facts = { walletAddress, signature, asset, amount: String(-amount) };
    if (covered) {
      counter.inc();
      log.error(facts, 'money left a wallet without our signature');
    } else if (!told.has(id)) {
      told.add(id);
      log.error(
        facts,
        'money left a wallet without our signature and exceeds what is free; it is posted when it is not',
      );
    }
  };
}

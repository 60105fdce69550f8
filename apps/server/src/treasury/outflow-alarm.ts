import { Counter, type Registry } from 'prom-client';
import type { Log } from '../platform/log.ts';
import type { MovementRow } from './wallet-movements.ts';

/** Money that left without our signature is the user's own doing or a theft; a person must look at it either way. */
export function createOutflowAlarm(registry: Registry, log: Log): (row: MovementRow) => void {
  const counter = new Counter({
    name: 'hunter_external_outflows_total',
    help: 'Outflows from wallets that Hunter did not sign.',
    registers: [registry],
  });
  return ({ walletAddress, signature, asset, amount }) => {
    counter.inc();
    log.error(
      { walletAddress, signature, asset, amount: String(-amount) },
      'money left a wallet without our signature',
    );
  };
}

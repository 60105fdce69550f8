import { Counter, type Registry } from 'prom-client';
import type { Log } from '../platform/log.ts';
import type { MovementRow } from './wallet-movements.ts';

/** `taker` is who moved it: whoever has the wallet's key, or the issuer of the token, who needs none. */
export type RaiseOutflowAlarm = (row: MovementRow, taker: 'key' | 'issuer') => void;

/**
 * Money that left without our signature is the user's own doing or a theft; a person must look at it either way. What an issuer takes
 * wakes nobody: it says nothing about keys, and any stranger could send a token of his own and take it back.
 */
export function createOutflowAlarm(registry: Registry, log: Log): RaiseOutflowAlarm {
  const registers = [registry];
  const outflows = new Counter({
    name: 'hunter_external_outflows_total',
    help: 'Outflows from wallets that Hunter did not sign.',
    registers,
  });
  const taken = new Counter({
    name: 'hunter_issuer_outflows_total',
    help: 'Tokens that their issuer took out of wallets.',
    registers,
  });
  return ({ walletAddress, signature, asset, amount }, taker) => {
    const facts = { walletAddress, signature, asset, amount: String(-amount) };
    if (taker === 'issuer') {
      taken.inc();
      log.warn(facts, 'the issuer of a token took it out of a wallet');
      return;
    }
    outflows.inc();
    log.error(facts, 'money left a wallet without our signature');
  };
}

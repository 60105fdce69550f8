import type { Alarm } from '../alarm.ts';
import { deny } from '../denial.ts';
import { networkFee } from '../transactions/network-fee.ts';
import type { WireTransaction } from '../transactions/wire-transaction.ts';
import { CeilingWatch } from './ceiling-watch.ts';
import { SwapVelocity } from './swap-velocity.ts';

const SOL = 1_000_000_000n;
/** Honest ones pay 5,000 lamports: two hundred thousand of one wallet in 24 hours, a hundred million of all. */
const CEILINGS = { walletLamports: SOL, totalLamports: 500n * SOL };

/**
 * What the network takes for messages that are no swaps, whose fee counts among what swaps move. Who makes the block gets most of
 * it, so without a ceiling a server that was taken over could hand him every wallet: thousands of closings of token accounts, which
 * may even fail. Kept in memory alone, counted like swaps.
 */
export class FeeVelocity {
  readonly #fees: SwapVelocity;

  constructor(alarm: Alarm) {
    const watch = new CeilingWatch('the network fees of 24 hours is spent', CEILINGS.totalLamports, alarm);
    this.#fees = new SwapVelocity(CEILINGS, [], watch);
  }

  admit(address: string, transaction: WireTransaction, now: number): void {
    if ('denied' in this.#fees.admit(address, networkFee(transaction), now)) {
      deny('VELOCITY', 'the network fees of 24 hours reached their ceiling');
    }
  }
}

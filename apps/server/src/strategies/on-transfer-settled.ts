import type { TransferSettled } from '../treasury/transfers/transfer.ts';
import { countAmount } from './change-funds.ts';
import { finishReturn } from './return-funds.ts';
import type { Strategies } from './strategies.ts';

/**
 * Outbox `transfer-settled`, at least once. Whoever placed the first commit of a strategy or follow waits for it, or the next pass
 * of the lifecycle finds it; what was added later is counted here too.
 */
export async function onTransferSettled(deps: Strategies, { transferId }: TransferSettled): Promise<void> {
  for (const view of await deps.transfers.waitFor([transferId], 0)) {
    if (view.kind === 'return') await finishReturn(deps, view);
    else await countAmount(deps, view.legs[0]!.toBookId);
  }
}

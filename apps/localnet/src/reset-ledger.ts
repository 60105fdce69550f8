import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerFolder, venueFolder } from './first-market.ts';
import { lockDataFolder } from './chain/data-lock.ts';

/** Removes a ledger with its market, and nothing that is not one. */
export function resetLedger(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const ledger = ledgerFolder(dataDir);
  if (!existsSync(join(ledger, 'history.sqlite'))) {
    if (readdirSync(dataDir).length === 0) return;
    throw new Error(`--reset: ${dataDir} holds no ledger of a localnet, so nothing was removed`);
  }
  // Whoever runs on it keeps it: taking the lock fails then.
  lockDataFolder(ledger).release();
  for (const folder of [ledger, venueFolder(dataDir)]) rmSync(folder, { recursive: true, force: true });
}

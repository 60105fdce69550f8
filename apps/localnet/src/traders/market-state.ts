import { join } from 'node:path';
import { readIfThere, writeDurably } from '../venue/durable-file.ts';

const FILE = 'market-state.json';

/**
 * What the market must remember between starts. Its own time stands still while the process is down, so that prices go
 * on from where they stopped instead of leaping after a night.
 */
export type MarketState = {
  /** Wall clock of the first start, unix seconds: second zero of the market's life. */
  genesisUnixSeconds: number;
  genesisSlot: number;
  /** Seconds that passed while nothing ran; wall clock minus genesis minus this is the market's time. */
  pausedSeconds: number;
  lastSeenUnixSeconds: number;
};

export class MarketStateFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, FILE);
  }

  load(): MarketState | null {
    const text = readIfThere(this.#path);
    return text === null ? null : (JSON.parse(text) as MarketState);
  }

  save(state: MarketState): void {
    writeDurably(this.#path, JSON.stringify(state));
  }
}

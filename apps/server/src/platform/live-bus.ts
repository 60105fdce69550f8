import type { ChannelData, ChannelName } from '@hunter/contract/stream';

type Listener = (channel: ChannelName, key: string, data: unknown) => void;

/**
 * Tells the live stream what changed, inside this process. A message may be lost with the process: what must not be
 * lost stands in the database, and clients fetch it again after a gap.
 * The key of a user's own channel is the user id; the stream maps it to `me`.
 */
export class LiveBus {
  readonly #listeners = new Set<Listener>();

  publish<Name extends ChannelName>(channel: Name, key: string, data: ChannelData<Name>): void {
    for (const listener of this.#listeners) listener(channel, key, data);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

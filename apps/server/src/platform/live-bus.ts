import type { ChannelData, ChannelName } from '@hunter/contract/stream';
import { subjectOf, type Bus } from './bus/bus.ts';
import { LocalBus } from './bus/local-bus.ts';

type Listener = (channel: ChannelName, key: string, data: unknown) => void;

/**
 * Tells the live stream what changed. A message may be lost: what must not be lost stands in the database, and clients
 * fetch it again after a gap. Each channel and key is a subject of its own, so that a process hears only what its clients
 * follow. The key of a user's own channel is the user id; the stream maps it to `me`.
 */
export class LiveBus {
  readonly #bus: Bus;

  constructor(bus: Bus = new LocalBus()) {
    this.#bus = bus;
  }

  publish<Name extends ChannelName>(channel: Name, key: string, data: ChannelData<Name>): void {
    this.#bus.publish(subjectFor(channel, key), { channel, key, data });
  }

  /** Everything. */
  subscribe(listener: Listener): () => void {
    return this.#bus.subscribe('live.>', (message) => tell(listener, message));
  }

  follow(channel: ChannelName, key: string, listener: Listener): () => void {
    return this.#bus.subscribe(subjectFor(channel, key), (message) => tell(listener, message));
  }

  /** Whether somebody may be following this. */
  isFollowed(channel: ChannelName, key: string): boolean {
    return this.#bus.isHeard(subjectFor(channel, key));
  }

  /** Called when messages may have been lost. */
  onGap(listener: () => void): () => void {
    return this.#bus.onGap(listener);
  }
}

function subjectFor(channel: ChannelName, key: string): string {
  return subjectOf('live', channel, key);
}

function tell(listener: Listener, message: unknown): void {
  const { channel, key, data } = message as { channel: ChannelName; key: string; data: unknown };
  listener(channel, key, data);
}

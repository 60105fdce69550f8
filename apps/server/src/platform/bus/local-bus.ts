import { createLog, type Log } from '../log.ts';
import { NoResponderError, tellGuarded, type Bus, type BusHandler } from './bus.ts';

type Listener = (message: unknown, subject: string) => void;

/** Inside one process: what is published is heard at once, by reference. */
export class LocalBus implements Bus {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Of all subjects that begin with the key. */
  readonly #openListeners = new Map<string, Set<Listener>>();
  readonly #handlers = new Map<string, BusHandler[]>();

  readonly #log: Log;

  constructor(log = createLog('error')) {
    this.#log = log;
  }

  publish(subject: string, message: unknown): void {
    this.#tell(this.#listeners.get(subject), subject, message);
    for (const [opening, listeners] of this.#openListeners) {
      if (subject.startsWith(opening)) this.#tell(listeners, subject, message);
    }
  }

  #tell(listeners: ReadonlySet<Listener> | undefined, subject: string, message: unknown): void {
    if (!listeners) return;
    for (const listener of listeners) tellGuarded(this.#log, subject, () => listener(message, subject));
  }

  subscribe(subject: string, listener: Listener): () => void {
    const isOpen = subject.endsWith('>');
    const map = isOpen ? this.#openListeners : this.#listeners;
    const key = isOpen ? subject.slice(0, -1) : subject;
    const own = map.get(key) ?? new Set();
    map.set(key, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0 && map.get(key) === own) map.delete(key);
    };
  }

  async request(subject: string, message: unknown): Promise<unknown> {
    const handlers = this.#handlers.get(subject);
    const handler = handlers?.shift();
    if (!handlers || !handler) throw new NoResponderError(subject);
    handlers.push(handler);
    return handler(message);
  }

  respond(subject: string, handler: BusHandler): () => void {
    const handlers = this.#handlers.get(subject) ?? [];
    this.#handlers.set(subject, handlers);
    handlers.push(handler);
    return () => {
      const at = handlers.indexOf(handler);
      if (at >= 0) handlers.splice(at, 1);
    };
  }

  async flush(): Promise<void> {}

  isHeard(subject: string): boolean {
    if (this.#listeners.has(subject)) return true;
    for (const opening of this.#openListeners.keys()) if (subject.startsWith(opening)) return true;
    return false;
  }

  onGap(_listener: () => void): () => void {
    return () => {};
  }

  isConnected(): boolean {
    return true;
  }

  async close(): Promise<void> {}
}

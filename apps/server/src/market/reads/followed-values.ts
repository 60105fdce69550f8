type Entry<Value, Event> =
  | { state: 'loading'; loading: Promise<Value>; missed: Event[] }
  | { state: 'ready'; value: Value };

/**
 * Values that are read from the store when somebody first asks for them and then follow what happens, so that they are
 * never old. Those that nobody asked for longest make room for others.
 */
export class FollowedValues<Value, Event> {
  readonly #max: number;
  readonly #load: (key: number) => Promise<Value>;
  readonly #follow: (value: Value, events: readonly Event[]) => boolean;
  readonly #entries = new Map<number, Entry<Value, Event>>();

  /** `follow` answers false where the value cannot follow and must be read again. */
  constructor(deps: {
    max: number;
    load: (key: number) => Promise<Value>;
    follow: (value: Value, events: readonly Event[]) => boolean;
  }) {
    this.#max = deps.max;
    this.#load = deps.load;
    this.#follow = deps.follow;
  }

  get(key: number): Value | Promise<Value> {
    const entry = this.#entries.get(key);
    if (entry) {
      // The last in the map is the last to go.
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      return entry.state === 'ready' ? entry.value : entry.loading;
    }
    return this.#read(key);
  }

  has(key: number): boolean {
    return this.#entries.has(key);
  }

  /** What happened to a value, after it can be read from the store. */
  tell(key: number, events: readonly Event[]): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    if (entry.state === 'loading') entry.missed.push(...events);
    else if (!this.#follow(entry.value, events)) this.#entries.delete(key);
  }

  forget(key: number): void {
    this.#entries.delete(key);
  }

  forgetAll(): void {
    this.#entries.clear();
  }

  #read(key: number): Promise<Value> {
    const loading = this.#load(key).then(
      (value) => {
        if (this.#entries.get(key) === entry) {
          if (this.#follow(value, entry.missed)) this.#entries.set(key, { state: 'ready', value });
          else this.#entries.delete(key);
        }
        return value;
      },
      (error: unknown) => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
        throw error;
      },
    );
    const entry: Entry<Value, Event> & { state: 'loading' } = { state: 'loading', loading, missed: [] };
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#max) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    return loading;
  }
}

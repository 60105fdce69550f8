import { subscribe } from 'node:diagnostics_channel';

/** Counts calls of this process to others that are not over, for whoever lets time pass only when there are none. */
export class CallsUnderWay {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The same object; the promises that its methods answer with count until they are settled. */
  counting<T extends object>(client: T): T {
    return new Proxy(client, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(value, target, args);
          if (!(answer instanceof Promise)) return answer;
          this.#count += 1;
          const isOver = (): void => {
            this.#count -= 1;
          };
          answer.then(isOver, isOver);
          return answer;
        };
      },
    });
  }

  /** Everything that is asked for with `fetch`, from here on. */
  countFetches(): void {
    const open = new WeakSet<object>();
    subscribe('undici:request:create', (message) => {
      open.add((message as { request: object }).request);
      this.#count += 1;
    });
    for (const end of ['undici:request:trailers', 'undici:request:error']) {
      subscribe(end, (message) => {
        if (open.delete((message as { request: object }).request)) this.#count -= 1;
      });
    }
  }
}

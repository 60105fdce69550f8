import type { RunningService, Service } from './service.ts';

/** A service that goes on running while one supervisor leaves it and the next takes it over. */
export class Handover {
  #running: RunningService | null = null;

  /** For the first: what it stops goes on running. */
  keep(service: Service): Service {
    return {
      ...service,
      start: async (context) => {
        const running = await service.start(context);
        this.#running = running;
        const left = Promise.withResolvers<string>();
        const ended = running.exited.then((reason) => {
          if (this.#running === running) this.#running = null;
          return reason;
        });
        const stop = async (): Promise<void> => left.resolve('left to the next');
        return { facts: running.facts, exited: Promise.race([ended, left.promise]), stop };
      },
    };
  }

  /** For the second: takes over what runs; where it ends, it is started as always. */
  take(service: Service): Service {
    return { ...service, start: async (context) => this.#release() ?? service.start(context) };
  }

  /** Where nobody takes it over. */
  async stop(): Promise<void> {
    await this.#release()?.stop();
  }

  #release(): RunningService | null {
    const running = this.#running;
    this.#running = null;
    return running;
  }
}

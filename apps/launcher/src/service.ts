/** What a part of the product says about itself when it is ready, such as the addresses it listens on. */
export type ReadyFacts = Readonly<Record<string, unknown>>;

export type RunningService = {
  readonly facts: ReadyFacts;
  /** Settles with the reason when the service ends, whoever ended it. */
  readonly exited: Promise<string>;
  /** Drains, ends, and returns when no process is left. */
  stop(): Promise<void>;
};

export type StartContext = {
  readonly signal: AbortSignal;
  /** What each service said when it last became ready. */
  readonly facts: ReadonlyMap<string, ReadyFacts>;
};

/** One supervised part of the product. */
export type Service = {
  readonly name: string;
  /** Names of the services that must have been ready once before this one starts. */
  readonly needs: readonly string[];
  /** Names of further services that it uses while it runs, and that stop only after it. */
  readonly uses?: readonly string[];
  start(context: StartContext): Promise<RunningService>;
};

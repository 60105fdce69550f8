const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Reads every variable before it refuses, so that an operator hears of all that are wrong at once. No line repeats a value. */
export class EnvironmentReader {
  readonly #env: NodeJS.ProcessEnv;
  readonly #faults = new Map<string, string>();

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** An empty variable counts as absent. */
  text(name: string): string | undefined {
    return this.#env[name] || undefined;
  }

  needed(name: string): string {
    return this.text(name) ?? this.fault(name, 'must be set', '');
  }

  whole(name: string, otherwise: number): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (!/^\d{1,6}$/.test(text)) return this.fault(name, 'must be a whole number of at most six digits', otherwise);
    return Number(text);
  }

  sol(name: string, otherwise: bigint): bigint {
    const text = this.text(name);
    const lamports = otherwise * LAMPORTS_PER_SOL;
    if (text === undefined) return lamports;
    const match = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text);
    if (match === null) return this.fault(name, 'must be an amount of SOL', lamports);
    return BigInt(match[1]!) * LAMPORTS_PER_SOL + BigInt((match[2] ?? '').padEnd(9, '0'));
  }

  /** One for each variable; what is read instead is never used. */
  fault<Value>(name: string, complaint: string, instead: Value): Value {
    if (!this.#faults.has(name)) this.#faults.set(name, `${name} ${complaint}`);
    return instead;
  }

  finish(): void {
    if (this.#faults.size > 0) throw new Error([...this.#faults.values()].join('\n'));
  }
}

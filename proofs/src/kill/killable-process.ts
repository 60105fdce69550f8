import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../../../scripts/bootstrap.mjs';

export type StartOptions = { nodeArgs?: readonly string[]; environment?: Readonly<Record<string, string>> };

/** A program of the project as a process of its own, which can be killed at any moment and started again. */
export class KillableProcess<Ready = unknown> {
  readonly #file: string;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;

  constructor(file: string, environment: Readonly<Record<string, string>>) {
    this.#file = file;
    this.#environment = environment;
  }

  /** Answers with the line in which the program says that it is ready. */
  start({ nodeArgs = [], environment = {} }: StartOptions = {}): Promise<Ready> {
    const child = spawn(process.execPath, [...nodeArgs, join(root, this.#file)], {
      env: { ...process.env, ...this.#environment, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    return new Promise<Ready>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`${this.#file} ended with ${code}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{"ready":true')) resolve(JSON.parse(line) as Ready);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** False where it is still running after the time. */
  async died(timeoutMs: number): Promise<boolean> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return true;
    return Promise.race([once(child, 'exit').then(() => true), delay(timeoutMs, false, { ref: false })]);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

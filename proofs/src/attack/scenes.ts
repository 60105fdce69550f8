import type { CallName } from '@hunter/contract/calls';
import { ask, type Asking } from '../../../scripts/product-client.ts';

/** One thing that was tried, what came of it, and whether that is how it has to be. */
export type Scene = { tried: string; outcome: string; ok: boolean };

export class Scenes {
  readonly rows: Scene[] = [];
  readonly #web: string;

  constructor(web: string) {
    this.#web = web;
  }

  /** Passes where the call is answered with this code; `null` for anything but a success. */
  async call(tried: string, name: CallName, request: object, asking: Asking, wanted: string | null): Promise<unknown> {
    const { code, msg, data } = await ask(this.#web, name, request, asking);
    const outcome = code === 200 ? 'done' : `${code} ${msg}`;
    const isWanted = wanted === null ? code !== 200 : wanted === 'done' ? code === 200 : msg.includes(wanted);
    this.rows.push({ tried, outcome, ok: isWanted });
    return data;
  }

  note(tried: string, outcome: string, ok: boolean): void {
    this.rows.push({ tried, outcome, ok });
  }
}

export function printScenes(rows: readonly Scene[]): void {
  const width = Math.max(...rows.map(({ tried }) => tried.length));
  for (const { tried, outcome, ok } of rows) {
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${tried.padEnd(width)}  ${outcome}\n`);
  }
}

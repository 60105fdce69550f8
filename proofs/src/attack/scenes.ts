import type { CallName } from '@hunter/contract/calls';
import type { Asking } from '../../../scripts/product-client.ts';
import { askAgain } from './ask-again.ts';

/** One thing that was tried, what came of it, and whether that is how it has to be. */
export type Scene = { tried: string; outcome: string; ok: boolean };

export class Scenes {
  readonly rows: Scene[] = [];
  /** What succeeded although it must not. */
  readonly #granted: string[] = [];
  readonly #web: string;
  #cutShortBy: string | null = null;

  constructor(web: string) {
    this.#web = web;
  }

  /** Passes where the call is answered with this code; `null` for anything but a success. */
  async call(tried: string, name: CallName, request: object, asking: Asking, wanted: string | null): Promise<unknown> {
    const { code, msg, data } = await askAgain(this.#web, name, request, asking);
    const outcome = code === 200 ? 'done' : `${code} ${msg}`;
    if (code === 200 && wanted !== 'done') this.#granted.push(`${tried}: done`);
    if (data?.['error'] === 'UNAVAILABLE' || code === 500 || (code !== 200 && wanted === 'done'))
      this.#cutShortBy = `${tried}: ${code} ${msg}`;
    const isWanted = wanted === null ? code !== 200 : wanted === 'done' ? code === 200 : msg.includes(wanted);
    this.rows.push({ tried, outcome, ok: isWanted });
    return data;
  }

  note(tried: string, outcome: string, ok: boolean): void {
    this.rows.push({ tried, outcome, ok });
  }

  /** What was not answered as it is on a product at rest; null where everything was. */
  get cutShortBy(): string | null {
    return this.#cutShortBy;
  }

  /** What an attacker got, on a product whose parts may die meanwhile: then only what was granted counts. */
  breaches(wasPlayed: boolean): string[] {
    if (!wasPlayed) return this.#granted;
    return this.rows.filter(({ ok }) => !ok).map(({ tried, outcome }) => `${tried}: ${outcome}`);
  }
}

export function reportScenes({ rows }: Scenes): { tried: number; failed: string[]; ok: boolean } {
  const width = Math.max(...rows.map(({ tried }) => tried.length));
  for (const { tried, outcome, ok } of rows) {
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${tried.padEnd(width)}  ${outcome}\n`);
  }
  const failed = rows.filter(({ ok }) => !ok).map(({ tried, outcome }) => `${tried}: ${outcome}`);
  return { tried: rows.length, failed, ok: failed.length === 0 };
}

import type { CallName } from '@hunter/contract/calls';
import type { Address } from '@hunter/solana/address';
import type { Asking } from '../../../scripts/product-client.ts';
import { askAgain, PUT_OFF } from './ask-again.ts';

/** One thing that was tried, what came of it, and whether that is how it has to be. */
export type Scene = { tried: string; outcome: string; ok: boolean };

export type Forbidden = { tried: string; address: Address };

export class Scenes {
  readonly rows: Scene[] = [];
  /** Where nothing may ever arrive, whatever was answered. */
  readonly forbidden: Forbidden[] = [];
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
    // Its process died before it asked the signer, which has not decided yet: what arrives on chain tells.
    const isUndecided = wanted !== 'done' && name === 'withdrawal' && data?.['status'] === 'requested';
    const outcome = isUndecided ? 'not decided yet' : code === 200 ? 'done' : `${code} ${msg}`;
    if (code === 200 && wanted !== 'done' && !isUndecided) this.#granted.push(`${tried}: done`);
    const isPutOff = PUT_OFF.includes(data?.['error']);
    const isWanted = wanted === null ? code !== 200 : wanted === 'done' ? code === 200 : msg.includes(wanted);
    // A wrong try whose answer was lost counts, and so does the one that took its place: the limit comes sooner than at rest.
    const isLimited = code === 429 && !isWanted;
    if (isUndecided || isPutOff || isLimited || code === 500 || (code !== 200 && wanted === 'done'))
      this.#cutShortBy = `${tried}: ${outcome}`;
    this.rows.push({ tried, outcome, ok: isWanted });
    return data;
  }

  /** A withdrawal that must not be paid. */
  steal(
    tried: string,
    request: { toWallet: Address } & Record<string, unknown>,
    asking: Asking,
    wanted: string | null,
  ): Promise<unknown> {
    this.forbidden.push({ tried, address: request.toWallet });
    return this.call(tried, 'withdrawal', request, asking, wanted);
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

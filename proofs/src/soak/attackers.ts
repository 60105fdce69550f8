import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { SignerClient } from '@hunter/signer-client/signer-client';
import type { RpcClient } from '@hunter/solana/rpc-client';
import { attacksOn } from '../../../apps/signer/src/fixtures/hostile-transactions.ts';
import { playCreator } from '../attack/creator.ts';
import { arrivals } from '../attack/arrivals.ts';
import { Scenes, type Forbidden } from '../attack/scenes.ts';
import { codeOf, personalWallet, rawSigner, requestOf, type Wallet } from '../attack/signer-wallets.ts';
import { playStranger } from '../attack/stranger.ts';
import { robGuarded, robPlain } from '../attack/thief.ts';
import { processOf } from './product-parts.ts';

const REST_MS = 5_000;
const SEEDS = 1_000_000;

type Attacked = { web: string; rpc: RpcClient; dataDirectory: string; mints: readonly string[] };

/** `cutShort`: tries in the midst of which a part of the product died, so that not all of them could be played. */
type Tally = { tries: number; scenes: number; cutShort: number; reasons: Record<string, number> };

/** A creator, a thief, a hostile server and a stranger, each trying again and again until told to stop. */
export class Attackers {
  readonly tallies: Record<string, Tally> = {};
  readonly breaches: string[] = [];
  readonly #forbidden: Forbidden[] = [];
  readonly #attacked: Attacked;
  #wallet: Wallet | null = null;
  #stopped = false;

  constructor(attacked: Attacked) {
    this.#attacked = attacked;
  }

  stop(): void {
    this.#stopped = true;
  }

  async live(): Promise<void> {
    const { web, rpc, mints } = this.#attacked;
    await Promise.all([
      this.#again('creator', (scenes) => playCreator(scenes, web, mints)),
      this.#again('thief', (scenes) => robPlain(scenes, web, rpc, false)),
      this.#again('thief against a factor', (scenes) => robGuarded(scenes, web, rpc, false)),
      this.#again('stranger', (scenes) => playStranger(scenes, web, rpc)),
      this.#again('hostile server', (scenes) => this.#askSigner(scenes)),
    ]);
  }

  async #again(name: string, play: (scenes: Scenes) => Promise<void>): Promise<void> {
    const tally: Tally = (this.tallies[name] = { tries: 0, scenes: 0, cutShort: 0, reasons: {} });
    while (!this.#stopped) {
      const scenes = new Scenes(this.#attacked.web);
      const reason = await play(scenes).then(
        () => scenes.cutShortBy,
        (error: Error) => error.message,
      );
      tally.tries += 1;
      tally.scenes += scenes.rows.length;
      if (reason !== null) {
        tally.cutShort += 1;
        tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1;
      }
      this.breaches.push(...scenes.breaches(reason === null).map((breach) => `${name}: ${breach}`));
      this.#forbidden.push(...scenes.forbidden);
      await delay(REST_MS);
    }
  }

  /** Once everything is finished: what reached a thief after all, also of what nobody had decided when he asked. */
  gains(): Promise<string[]> {
    return arrivals(this.#attacked.rpc, this.#forbidden);
  }

  /**
   * With the server's own token and a wallet that the signer made for it: all that a server that was taken over has. One wallet for
   * all: the signer stops a kind for everybody once it has refused forgeries for many.
   */
  async #askSigner(scenes: Scenes): Promise<void> {
    const { SIGNER_SOCKET: socketPath = '', SIGNER_TOKEN: token = '' } = this.#serverEnvironment();
    const signer = new SignerClient({ socketPath, token, timeoutMs: 20_000 });
    try {
      const wallet = (this.#wallet ??= await personalWallet(signer, 'hostile'));
      const attacks = Object.entries(attacksOn(wallet.address));
      const seed = Math.floor(Math.random() * SEEDS);
      const outcomes = await rawSigner(socketPath, token)(attacks.map(([, make]) => requestOf(wallet, make(seed))));
      for (const [index, [name]] of attacks.entries()) {
        const code = codeOf(outcomes[index]);
        scenes.note(name, code, code !== 'SIGNED');
      }
    } finally {
      signer.close();
    }
  }

  #serverEnvironment(): Record<string, string> {
    const pid = processOf(this.#attacked.dataDirectory, 'api-1');
    const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }
}

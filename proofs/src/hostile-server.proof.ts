/**
 * A server that was taken over asks a real signer for anything it likes: every hostile request is denied, every honest one between
 * them is signed, and what a day's ceilings let go is measured. Takes the number of hostile requests to sign; those for factors,
 * limits, freezing, resets, exports and the operator's calls come on top.
 */
import { randomBytes } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { transferSol } from '@hunter/solana/system-program';
import { SignerClient } from '@hunter/signer-client/signer-client';
import { venueKey } from '../../apps/signer/src/fixtures/a-venue.ts';
import { attacksOn } from '../../apps/signer/src/fixtures/hostile-transactions.ts';
import { attacksOnTransfers } from '../../apps/signer/src/fixtures/hostile-transfers.ts';
import { startSignerProcess } from '../../apps/signer/src/fixtures/signer-process.ts';
import {
  buy,
  close,
  commit,
  mint,
  PASSWORD,
  returned,
  type Scene,
  sell,
  withdrawal,
} from '../../apps/signer/src/fixtures/transaction-scenes.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { attackAccounts } from './attack/account-attacks.ts';
import { attackFactors } from './attack/factor-attacks.ts';
import { drainManyWallets, TOTAL_SOL } from './attack/many-wallets.ts';
import { mostOfADay } from './attack/most-of-a-day.ts';
import {
  codeOf,
  commitAndSayFinal,
  personalWallet,
  type RawRequest,
  type RawSign,
  rawSigner,
  requestOf,
  strategyWallet,
  type Wallet,
} from './attack/signer-wallets.ts';

const SOL = 1_000_000_000n;
/** Between so many hostile requests stands an honest one. */
const HONEST_EVERY = 5;
const CHUNK = 250;
const KNOWN = 'known-withdrawal';
const DESTINATION = Keypair.generate().address;

type Request = { name: string; isHostile: boolean; request: RawRequest };

export default async function proveHostileServer([count = '2400']: readonly string[]): Promise<Figures> {
  const venue = venueKey.publicKey.export({ format: 'jwk' }).x!;
  // Finality is what the server says, at once: the signer's own delay would only make the proof longer.
  const process = await startSignerProcess({
    SIGNER_VENUE_KEY: venue,
    SIGNER_COMMIT_FINAL_SECONDS: '0',
    SIGNER_WITHDRAWALS_DAILY_TOTAL_SOL: String(TOTAL_SOL),
    SIGNER_ORIGINS: 'http://localhost:3000',
    SIGNER_OPERATOR_TOKEN: randomBytes(24).toString('hex'),
  });
  const signer = new SignerClient({ socketPath: process.socketPath, token: process.token, timeoutMs: 120_000 });
  try {
    const sign = rawSigner(process.socketPath, process.token);
    const wallets = await openWallets(signer, sign);
    const requests = requestsOf(wallets, Number(count));
    const signedHostile: string[] = [];
    const deniedHonest: string[] = [];
    const denials: Record<string, number> = {};
    for (let start = 0; start < requests.length; start += CHUNK) {
      const chunk = requests.slice(start, start + CHUNK);
      const outcomes = await sign(chunk.map(({ request }) => request));
      for (const [index, { name, isHostile }] of chunk.entries()) {
        const code = codeOf(outcomes[index]);
        if (isHostile && code === 'SIGNED') signedHostile.push(name);
        if (isHostile) denials[code] = (denials[code] ?? 0) + 1;
        if (!isHostile && code !== 'SIGNED') deniedHonest.push(`${name}: ${code}`);
      }
    }
    const keys = await keysShown(signer, wallets.strategy);
    const factors = await attackFactors(signer, sign);
    const accounts = await attackAccounts(signer, sign);
    const leavesInADay = await mostOfADay(signer, sign);
    const leavesManyWallets = await drainManyWallets(signer, sign);
    const hostile = requests.filter(({ isHostile }) => isHostile).length;
    return {
      hostile,
      honest: requests.length - hostile,
      signedHostile,
      deniedHonest,
      denials,
      keysShown: keys,
      factors,
      accounts,
      leavesInADay,
      leavesManyWallets,
      ok:
        signedHostile.length === 0 &&
        deniedHonest.length === 0 &&
        keys === 0 &&
        [factors, accounts].every(({ passed, refusedHonest }) => passed.length + refusedHonest.length === 0) &&
        leavesInADay.ok &&
        leavesManyWallets.ok,
    };
  } finally {
    signer.close();
    await process.stop();
  }
}

/** Of these only `person` has committed, and only to `strategy`; so has a follower whose SOL is at stake. */
async function openWallets(signer: SignerClient, sign: RawSign) {
  const person = await personalWallet(signer, 'person');
  const stranger = await personalWallet(signer, 'stranger');
  const strategy = await strategyWallet(signer, 'strategy');
  const otherStrategy = await strategyWallet(signer, 'other-strategy');
  const wallets = { person, stranger, strategy, otherStrategy };
  await commitAndSayFinal(signer, sign, requestOf(person, commit(person.address, strategy.address, 1_000n * SOL)));
  const follower = await personalWallet(signer, 'follower');
  await commitAndSayFinal(signer, sign, requestOf(follower, commit(follower.address, strategy.address, SOL)));
  const [bought] = await sign([requestOf(strategy, buy(strategy.address))]);
  if (codeOf(bought) !== 'SIGNED') throw new Error('the first buy was denied');
  for (let index = 0; index < 5; index += 1) {
    const [paid] = await sign([requestOf(person, withdrawalOf(person, 1n, KNOWN))]);
    if (codeOf(paid) !== 'SIGNED') throw new Error('the first withdrawal was denied');
  }
  return wallets;
}

type Wallets = Awaited<ReturnType<typeof openWallets>>;

function requestsOf(wallets: Wallets, count: number): Request[] {
  const { person, stranger, strategy, otherStrategy } = wallets;
  const onTransfers = attacksOnTransfers({
    person: person.address,
    stranger: stranger.address,
    strategy: strategy.address,
    otherStrategy: otherStrategy.address,
  });
  const attacks: [string, (seed: number) => RawRequest][] = [
    ...Object.entries(attacksOn(person.address)).map(
      ([name, make]) => [`personal wallet: ${name}`, (seed: number) => requestOf(person, make(seed))] as const,
    ),
    ...Object.entries(attacksOn(strategy.address)).map(
      ([name, make]) => [`strategy wallet: ${name}`, (seed: number) => requestOf(strategy, make(seed))] as const,
    ),
    ...Object.entries(onTransfers).map(
      ([name, make]) =>
        [
          name,
          (seed: number) => {
            const { by, scene } = make(seed);
            return requestOf(wallets[by], scene);
          },
        ] as const,
    ),
    ...Object.entries(beyondCeilings(wallets)),
  ].map(([name, make]) => [name, make]);
  return Array.from({ length: count }, (_, index): Request[] => {
    const [name, make] = attacks[index % attacks.length]!;
    const seed = Math.floor(index / attacks.length);
    const hostile = { name: `${name} #${seed}`, isHostile: true, request: make(seed) };
    return index % HONEST_EVERY === 0 ? [hostile, honestRequest(wallets, index / HONEST_EVERY)] : [hostile];
  }).flat();
}

/** Amounts that no day allows, and what was granted once asked for again and again. */
function beyondCeilings({ person, strategy }: Wallets): Record<string, (seed: number) => RawRequest> {
  const huge = (seed: number): bigint => (10_000n + BigInt(seed)) * SOL;
  const back = (lamports: bigint): RawRequest =>
    requestOf(strategy, returned(strategy.address, [{ to: person.address, lamports }]));
  return {
    'a return above what was committed': (seed) => back(1_500n * SOL + 1n + BigInt(seed)),
    'a return in kind above what was committed': (seed) => {
      const tokens = [{ to: person.address, mint, amount: 10n ** 15n + BigInt(seed) }];
      return requestOf(strategy, returned(strategy.address, [], tokens));
    },
    'a return in kind of a token that was never bought': (seed) => {
      const tokens = [{ to: person.address, mint: Keypair.generate().address, amount: 1n + BigInt(seed) }];
      return requestOf(strategy, returned(strategy.address, [], tokens));
    },
    'a withdrawal above the limit of a day': (seed) =>
      requestOf(person, withdrawalOf(person, huge(seed), `huge-${seed}`)),
    'a known withdrawal with another amount': (seed) =>
      requestOf(person, withdrawalOf(person, 2n + BigInt(seed), KNOWN)),
    'a withdrawal that was signed five times before': () => requestOf(person, withdrawalOf(person, 1n, KNOWN)),
  };
}

function withdrawalOf(wallet: Wallet, lamports: bigint, withdrawalId: string): Scene {
  const scene = withdrawal(wallet.address);
  const instructions = [transferSol({ from: wallet.address, to: DESTINATION, lamports })];
  const policy = { ...scene.policy, withdrawalId, destination: DESTINATION, lamports: String(lamports) };
  return { ...scene, instructions, policy };
}

function honestRequest({ person, strategy }: Wallets, index: number): Request {
  const small = 1_000n + BigInt(index);
  const scenes: [string, Wallet, (own: Address) => Scene][] = [
    ['sell', strategy, sell],
    ['commit', person, (own) => commit(own, strategy.address, small)],
    ['return', strategy, (own) => returned(own, [{ to: person.address, lamports: small }])],
    ['close', strategy, close],
    ['return in kind', strategy, (own) => returned(own, [], [{ to: person.address, mint, amount: 1n }])],
    ['buy', strategy, buy],
    ['sell', person, sell],
    ['buy', person, buy],
  ];
  // A password costs a tenth of a second; a few withdrawals are enough.
  if (index % 60 === 59) scenes.splice(0, scenes.length, ['withdrawal', person, withdrawal]);
  const [name, wallet, make] = scenes[index % scenes.length]!;
  return { name: `honest ${name} #${index}`, isHostile: false, request: requestOf(wallet, make(wallet.address)) };
}

/** How many ways lead to the key of a strategy wallet. */
async function keysShown(signer: SignerClient, { owner, sealedKey }: Wallet): Promise<number> {
  const tries = [
    signer.exportKey({ ...owner, sealedKey, password: PASSWORD }),
    signer.resetPassword({ ...owner, sealedKey, newPassword: PASSWORD }),
    signer.changePassword({ ...owner, sealedKey, oldPassword: PASSWORD, newPassword: PASSWORD }),
    signer.verifyPassword({ ...owner, sealedKey, password: PASSWORD }).then((isRight) => {
      if (!isRight) throw new Error('no password fits');
    }),
  ];
  return (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
}

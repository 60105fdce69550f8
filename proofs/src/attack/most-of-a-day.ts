import type { SignerClient } from '@hunter/signer-client/signer-client';
import type { Address } from '@hunter/solana/address';
import { Keypair } from '@hunter/solana/keypair';
import { transferSol } from '@hunter/solana/system-program';
import {
  buy,
  commit,
  pool,
  returned,
  type Scene,
  withdrawal,
} from '../../../apps/signer/src/fixtures/transaction-scenes.ts';
import {
  codeOf,
  commitAndSayFinal,
  personalWallet,
  type RawSign,
  requestOf,
  strategyWallet,
  type Wallet,
} from './signer-wallets.ts';

const SOL = 1_000_000_000n;
const LARGEST = 100_000n * SOL;
/** What the ceilings of the signer's defaults allow, in SOL. */
const ALLOWED = { returnsOnTheServersWord: 1_000n, withdrawals: 50n, swapsOfOneWallet: 5_000n };

/**
 * What a server that lies and knows the password gets out of one wallet within a day, asked for greedily: the largest amount
 * that is granted, then the next, until nothing is.
 */
export async function mostOfADay(
  signer: SignerClient,
  sign: RawSign,
): Promise<Record<string, unknown> & { ok: boolean }> {
  const strategy = await strategyWallet(signer, 'full');
  const follower = await personalWallet(signer, 'victim-of-returns');
  await commitAndSayFinal(signer, sign, requestOf(follower, commit(follower.address, strategy.address, LARGEST)));
  const thief = await personalWallet(signer, 'thief');
  // Signed and never sent: the server only says that it became final.
  await commitAndSayFinal(signer, sign, requestOf(thief, commit(thief.address, strategy.address, LARGEST)));
  const returns = await greedily(sign, strategy, (lamports) =>
    returned(strategy.address, [{ to: thief.address, lamports }]),
  );
  const victim = await personalWallet(signer, 'victim');
  const withdrawals = await greedily(sign, victim, (lamports) => {
    const scene = withdrawal(victim.address);
    const to = Keypair.generate().address;
    const policy = { ...scene.policy, destination: to, lamports: String(lamports) };
    return { ...scene, policy, instructions: [transferSol({ from: victim.address, to, lamports })] };
  });
  const trader = await personalWallet(signer, 'trader');
  const swaps = await greedily(sign, trader, (lamports) => buyFor(trader.address, lamports));
  const most = { returnsOnTheServersWord: returns, withdrawals, swapsOfOneWallet: swaps };
  const names = ['returnsOnTheServersWord', 'withdrawals', 'swapsOfOneWallet'] as const;
  return {
    ...Object.fromEntries(names.map((name) => [`${name}Lamports`, most[name]])),
    ok: names.every((name) => most[name] > 0n && most[name] <= ALLOWED[name] * SOL),
  };
}

async function greedily(sign: RawSign, wallet: Wallet, scene: (lamports: bigint) => Scene): Promise<bigint> {
  let taken = 0n;
  for (let lamports = LARGEST; lamports > SOL / 100n; lamports /= 2n) {
    for (;;) {
      const [outcome] = await sign([requestOf(wallet, scene(lamports))]);
      if (codeOf(outcome) !== 'SIGNED') break;
      taken += lamports;
    }
  }
  return taken;
}

function buyFor(own: Address, lamports: bigint): Scene {
  const scene = buy(own);
  scene.instructions[1] = transferSol({ from: own, to: pool.address, lamports });
  return { ...scene, policy: { ...scene.policy, maxLamportsOut: String(lamports * 2n) } };
}

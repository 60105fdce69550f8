import type { SignerClient } from '@hunter/signer-client/signer-client';
import { Keypair } from '@hunter/solana/keypair';
import { transferSol } from '@hunter/solana/system-program';
import { withdrawal } from '../../../apps/signer/src/fixtures/transaction-scenes.ts';
import { codeOf, personalWallet, type RawSign, requestOf, type Wallet } from './signer-wallets.ts';

const SOL = 1_000_000_000n;
/** What all wallets may withdraw in 24 hours, small so that a few wallets reach it. */
export const TOTAL_SOL = 400n;
const WALLETS = 8;
/** Together below the amount that waits for a day at a new address. */
const AMOUNTS = [40n, 5n, 1n];

/**
 * A server that knows the passwords of many, or one owner of many wallets, withdraws from all of them: half of the total leaves, the rest
 * waits for its turn, and nothing is stopped.
 */
export async function drainManyWallets(
  signer: SignerClient,
  sign: RawSign,
): Promise<Record<string, unknown> & { ok: boolean }> {
  let lamports = 0n;
  const others: string[] = [];
  let waiting = 0;
  for (let index = 0; index < WALLETS; index += 1) {
    const wallet = await personalWallet(signer, `of-many-${index}`);
    for (const amount of AMOUNTS) {
      const [outcome] = await sign([requestOf(wallet, toSomebodyNew(wallet, amount * SOL))]);
      if (codeOf(outcome) === 'SIGNED') lamports += amount * SOL;
      else if ('denied' in outcome! && outcome.denied.hold === 'many-withdrawals') waiting += 1;
      else others.push(codeOf(outcome));
    }
  }
  const { stopped, withdrawals } = await signer.status();
  return {
    lamports,
    waiting,
    others,
    stopped,
    partOfTotal: withdrawals.part,
    // While the proof runs a little comes free.
    ok: waiting > 0 && others.length === 0 && stopped.length === 0 && withdrawals.part > 0.4 && withdrawals.part < 0.52,
  };
}

function toSomebodyNew({ address }: Wallet, lamports: bigint) {
  const scene = withdrawal(address);
  const to = Keypair.generate().address;
  const policy = { ...scene.policy, destination: to, lamports: String(lamports) };
  return { ...scene, policy, instructions: [transferSol({ from: address, to, lamports })] };
}

import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { SignerClient } from '@hunter/signer-client/signer-client';
import type { SignOutcome } from '@hunter/signer-client/signing-policy';
import type { Address } from '@hunter/solana/address';
import { PASSWORD, type Scene, transactionOf } from '../../../apps/signer/src/fixtures/transaction-scenes.ts';

export type Wallet = { owner: { userId: string; walletId: string }; address: Address; sealedKey: string };
/** As it goes over the socket: a hostile server is not bound to what the client's types allow. */
export type RawRequest = Wallet['owner'] & { sealedKey: string; transaction: string; policy: Record<string, unknown> };
export type RawSign = (requests: readonly RawRequest[]) => Promise<SignOutcome[]>;

export function rawSigner(socketPath: string, token: string): RawSign {
  return async (requests) => {
    const socket = connect(socketPath);
    try {
      const answered = once(createInterface({ input: socket }), 'line') as Promise<[string]>;
      // A signer that dies meanwhile never answers.
      const closed = once(socket, 'close').then((): never => {
        throw new Error('the signer closed the connection');
      });
      socket.write(`${JSON.stringify({ id: 1, token, method: 'sign', params: { requests } })}\n`);
      const [line] = await Promise.race([answered, closed]);
      const { result } = JSON.parse(line) as { result?: { results: SignOutcome[] } };
      if (result === undefined) throw new Error('the signer did not answer');
      return result.results;
    } finally {
      socket.destroy();
    }
  };
}

export async function personalWallet(signer: SignerClient, name: string): Promise<Wallet> {
  const owner = { userId: `user-${name}`, walletId: `wallet-${name}` };
  const { address, sealedKey } = await signer.createWallet({ ...owner, password: PASSWORD });
  return { owner, address, sealedKey };
}

export async function strategyWallet(signer: SignerClient, name: string): Promise<Wallet> {
  const owner = { userId: `creator-${name}`, walletId: `wallet-${name}` };
  return { owner, ...(await signer.createStrategyWallet(owner)) };
}

export function requestOf({ owner, sealedKey }: Wallet, scene: Scene): RawRequest {
  return { ...owner, sealedKey, transaction: transactionOf(scene), policy: scene.policy };
}

export function codeOf(outcome: SignOutcome | undefined): string {
  if (outcome === undefined) throw new Error('the signer answered nothing');
  return 'denied' in outcome ? outcome.denied.code : 'SIGNED';
}

/** Commits, and says that the chain has finalized it; whether it ever was sent, the signer cannot see. */
export async function commitAndSayFinal(signer: SignerClient, sign: RawSign, request: RawRequest): Promise<void> {
  const [outcome] = await sign([request]);
  if (outcome === undefined || 'denied' in outcome) throw new Error(`the commit was denied: ${codeOf(outcome)}`);
  await signer.commitsFinal([outcome.signature]);
}

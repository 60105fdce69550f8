import type { Address } from '@hunter/solana/address';
import { verifySignature } from '@hunter/solana/keypair';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { decodeTransactionBase64 } from '@hunter/solana/transaction';
import type { AccountKey } from '../account-key.ts';
import { PoolCertificates, readVenueKey } from './pool-certificates.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { aSigner, COMMIT_FINAL_MS, type TestSigner } from '../fixtures/a-signer.ts';
import { aPersonalWallet, aStrategyWallet, committed, outcomeOf, requestOf } from '../fixtures/a-wallet.ts';
import { attacksOn } from '../fixtures/hostile-transactions.ts';
import { attacksOnTransfers } from '../fixtures/hostile-transfers.ts';
import {
  buy,
  certificate,
  close,
  commit,
  mint,
  PASSWORD,
  returned,
  type Scene,
  sell,
  SPEND,
  transactionOf,
  withdrawal,
} from '../fixtures/transaction-scenes.ts';

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 500);
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
const owner = { userId: 'user-1', walletId: 'wallet-1' };

let test: TestSigner;
let own: Address;
let sealedKey: string;

beforeAll(async () => {
  test = aSigner();
  const created = await test.signer.createWallet(owner, PASSWORD);
  own = created.address as Address;
  ({ sealedKey } = created);
});

const request = (scene: Scene) => ({ ...owner, sealedKey, transaction: transactionOf(scene), policy: scene.policy });

describe('the signer against hostile transactions', () => {
  it('signs each honest transaction, leaving the slots of others untouched', async () => {
    const memo = { program: MEMO_PROGRAM, accounts: [], data: Buffer.from(`hunter:a1:${'x'.repeat(43)}`) };
    const withMemo = buy(own);
    withMemo.instructions.push(memo);
    const scenes = [buy(own), sell(own), withMemo, close(own), withdrawal(own)];
    const requests = scenes.map(request);
    const outcomes = await test.signer.sign(requests);
    for (const [index, outcome] of outcomes.entries()) {
      if ('denied' in outcome) throw new Error(`${index}: ${JSON.stringify(outcome.denied)}`);
      const before = decodeTransactionBase64(requests[index]!.transaction);
      const after = decodeTransactionBase64(outcome.signedTransaction);
      expect(verifySignature(own, after.messageBytes, after.signatures[0]!)).toBe(true);
      expect(after.signatures.slice(1)).toEqual(before.signatures.slice(1));
      expect(after.messageBytes).toEqual(before.messageBytes);
    }
  });

  it(`denies all of ${REQUESTS} hostile requests`, async () => {
    const attacks = attacksOn(own);
    const names = Object.keys(attacks);
    const scenes = Array.from({ length: REQUESTS }, (_, seed) => {
      const name = names[seed % names.length]!;
      return { name, seed, request: request(attacks[name]!(Math.floor(seed / names.length))) };
    });
    const outcomes = await test.signer.sign(scenes.map((scene) => scene.request));
    const signed = scenes.filter((_, index) => !('denied' in outcomes[index]!));
    expect(signed.map((scene) => `${scene.name} #${scene.seed}`)).toEqual([]);
    expect(outcomes.every((outcome) => 'denied' in outcome && outcome.denied.reason !== '')).toBe(true);
    // None of them may owe its refusal to anything but what was hostile in it.
    const codes = new Set(outcomes.map((outcome) => ('denied' in outcome ? outcome.denied.code : null)));
    const others = ['ENVELOPE_INVALID', 'ENVELOPE_OUTDATED', 'KILL_SWITCH', 'TOO_MANY_TRIES', 'HELD'] as const;
    for (const unrelated of others) {
      expect(codes).not.toContain(unrelated);
    }
    expect(outcomes).toHaveLength(REQUESTS);
  });

  it(`denies all of ${REQUESTS} hostile transfers between personal and strategy wallets`, async () => {
    const [person, stranger] = [aPersonalWallet(test), aPersonalWallet(test)];
    const [strategy, otherStrategy] = [await aStrategyWallet(test), await aStrategyWallet(test)];
    const wallets = { person, stranger, strategy, otherStrategy };
    const addresses = { person: person.address, stranger: stranger.address };
    const attacks = attacksOnTransfers({
      ...addresses,
      strategy: strategy.address,
      otherStrategy: otherStrategy.address,
    });
    await committed(test, person, commit(person.address, strategy.address, SPEND));
    test.clock.now += COMMIT_FINAL_MS;
    expect(await outcomeOf(test, strategy, buy(strategy.address))).toBe('SIGNED');

    const names = Object.keys(attacks);
    const scenes = Array.from({ length: REQUESTS }, (_, seed) => {
      const name = names[seed % names.length]!;
      const { by, scene } = attacks[name]!(Math.floor(seed / names.length));
      return { name, seed, request: requestOf(wallets[by], scene) };
    });
    const outcomes = await test.signer.sign(scenes.map((scene) => scene.request));
    const signed = scenes.filter((_, index) => !('denied' in outcomes[index]!));
    expect(signed.map((scene) => `${scene.name} #${scene.seed}`)).toEqual([]);
    expect(outcomes.every((outcome) => 'denied' in outcome && outcome.denied.reason !== '')).toBe(true);
    const codes = new Set(outcomes.map((outcome) => ('denied' in outcome ? outcome.denied.code : null)));
    for (const unrelated of ['ENVELOPE_INVALID', 'COMMIT_NOT_FINAL', 'RETURN_CEILING', 'HELD'] as const) {
      expect(codes).not.toContain(unrelated);
    }
    // The honest ones between the same wallets are signed.
    const legs = [{ to: person.address, lamports: 1_000_000n }];
    const tokens = [{ to: person.address, mint, amount: 10n }];
    expect(await outcomeOf(test, strategy, returned(strategy.address, legs, tokens))).toBe('SIGNED');
  });

  it('signs no swap at all without a venue key', async () => {
    const certificates = new PoolCertificates(null);
    expect(certificates.certifies(certificate(), '' as AccountKey, '' as AccountKey)).toBe(false);
    expect(readVenueKey('A'.repeat(42))).toBeNull();
  });

  it('never signs a transaction with a single byte changed under the same bounds, unless it still keeps them', async () => {
    // Flipping bytes of a blockhash or a reference is harmless; whatever is signed must pay the same parties.
    const scene = { ...buy(own), version: 'legacy' as const };
    const wire = Buffer.from(transactionOf(scene), 'base64');
    const requests = Array.from({ length: wire.length }, (_, position) => {
      const changed = Buffer.from(wire);
      changed[position]! ^= 1 << (position % 8);
      return { ...request(scene), transaction: changed.toString('base64') };
    });
    const outcomes = await test.signer.sign(requests);
    for (const outcome of outcomes) {
      if ('denied' in outcome) continue;
      const { message } = decodeTransactionBase64(outcome.signedTransaction);
      expect(message.staticAccounts[0]).toBe(own);
      for (const row of message.instructions) {
        if (message.staticAccounts[row.programIndex] !== SYSTEM_PROGRAM) continue;
        expect(Buffer.from(row.data).readBigUInt64LE(4)).toBeLessThanOrEqual(SPEND + 100_000n);
      }
    }
  });
});

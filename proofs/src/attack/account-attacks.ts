import type { SignerClient } from '@hunter/signer-client/signer-client';
import { SignerError } from '@hunter/signer-client/signer-error';
import { Keypair } from '@hunter/solana/keypair';
import { transferSol } from '@hunter/solana/system-program';
import { randomUUID } from 'node:crypto';
import { Authenticator } from '../../../apps/signer/src/fixtures/an-authenticator.ts';
import {
  PASSWORD,
  type Scene,
  tokenWithdrawal,
  withdrawal,
} from '../../../apps/signer/src/fixtures/transaction-scenes.ts';
import type { Intent } from '../../../apps/signer/src/factors/intent.ts';
import { codeOf, personalWallet, type RawSign, requestOf, type Wallet } from './signer-wallets.ts';
import { newTries, type Tried } from './tries.ts';

const SOL = 1_000_000_000n;
const GUESS = 'a guessed password';
const NEW = 'the new password of a thief';

/** Everything else a server can ask the signer for: limits, freezing, resets, exports, settings of factors, the operator's calls. */
export async function attackAccounts(signer: SignerClient, sign: RawSign): Promise<Tried> {
  const { tried, hostile, honest } = newTries();
  const pay = async (wallet: Wallet, scene: Scene): Promise<void> => {
    const code = codeOf((await sign([requestOf(wallet, scene)]))[0]);
    if (code !== 'SIGNED') throw new SignerError('DENIED', code);
  };
  const paySol = (wallet: Wallet, lamports: bigint): Promise<void> => pay(wallet, solWithdrawal(wallet, lamports));

  const limited = await personalWallet(signer, 'with-limits');
  const limits = (dailyLamports: bigint, more: object = {}) =>
    signer.setOwnLimits({ ...limited.owner, sealedKey: limited.sealedKey, dailyLamports, delaysNew: false, ...more });
  await honest('pay below every limit', paySol(limited, SOL));
  await honest('lower the limit without the password', limits(SOL + 1n));
  await hostile('raise it without the password', limits(5n * SOL));
  await hostile('raise it with a guess', limits(5n * SOL, { password: GUESS }));
  await honest('raise it with the password', limits(5n * SOL, { password: PASSWORD }));
  await hostile('pay above the limit before the day is over', paySol(limited, SOL));

  const frozen = await personalWallet(signer, 'frozen');
  const ofFrozen = { ...frozen.owner, sealedKey: frozen.sealedKey };
  // What tokens are worth the signer cannot know, so to a new address they wait for a day.
  await hostile('withdraw tokens to a new address at once', pay(frozen, tokenWithdrawal(frozen.address)));
  await honest('withdraw SOL to a new address', paySol(frozen, 1n));
  await honest('freeze', signer.safety.freeze(ofFrozen));
  await hostile('withdraw SOL from a frozen wallet', paySol(frozen, 1n));
  await hostile('withdraw tokens from a frozen wallet', pay(frozen, tokenWithdrawal(frozen.address)));
  await hostile('export the key of a frozen wallet', signer.exportKey({ ...ofFrozen, password: PASSWORD }));
  const proofId = randomUUID();
  await hostile('unfreeze with a guess', signer.safety.unfreeze({ ...ofFrozen, password: GUESS, proofId }));
  await honest('unfreeze with the password', signer.safety.unfreeze({ ...ofFrozen, password: PASSWORD, proofId }));

  const reset = await personalWallet(signer, 'reset');
  const { sealedKey } = await signer.resetPassword({ ...reset.owner, sealedKey: reset.sealedKey, newPassword: NEW });
  const taken = { ...reset, sealedKey };
  const ofReset = { ...reset.owner, sealedKey };
  const toNew = solWithdrawal(taken, SOL);
  await hostile('withdraw to a new address after a reset', pay(taken, withPassword(toNew, NEW)));
  await hostile('export after a reset', signer.exportKey({ ...ofReset, password: NEW }));
  await hostile('the key as it was sealed before the reset', pay(reset, solWithdrawal(reset, 1n)));
  await hostile('undo a reset with a guess', signer.safety.undoReset({ ...ofReset, password: GUESS }));
  await honest('undo a reset with the old password', signer.safety.undoReset({ ...ofReset, password: PASSWORD }));

  await attackSettings(signer, hostile, honest);

  const foreign = { ...limited.owner, sealedKey: frozen.sealedKey };
  await hostile('export under the name of another', signer.exportKey({ ...foreign, password: PASSWORD }));
  await hostile('limits of another', signer.setOwnLimits({ ...foreign, dailyLamports: 1n, delaysNew: true }));
  const moved = signer.rewrap([foreign]).then(([outcome]) => {
    if (outcome === undefined || 'denied' in outcome) throw new SignerError('DENIED', 'not moved');
  });
  await hostile('move the key of another', moved);
  await hostile('rotate without an operator', signer.rotate());
  await hostile('retire a key without an operator', signer.retireKey('k1'));
  await hostile('confirm a change without an operator', signer.confirmChange(randomUUID()));
  await hostile('cancel a change without an operator', signer.cancelChange(randomUUID()));
  await hostile('release the kill switch without an operator', signer.setKillSwitch(false));
  return tried;
}

type Try = ReturnType<typeof newTries>['hostile'];

/** What a factor guards besides money. A touch for one of these is none for another. */
async function attackSettings(signer: SignerClient, hostile: Try, honest: Try): Promise<void> {
  const { owner, sealedKey, address } = await personalWallet(signer, 'with-settings');
  const device = new Authenticator();
  const base = { ...owner, sealedKey, password: PASSWORD };
  await signer.factors.enrolPasskey({ ...base, name: 'key', ...device.create(address, randomUUID()) });
  const touch = (kind: Intent['kind'], id: string, asset = '-') =>
    device.sign({ kind, asset, destination: address, amount: '0', id });
  const id = randomUUID();
  const key = { ...owner, sealedKey, id, scope: 'trade' as const };
  await hostile('an API key without the factor', signer.factors.checkApiKey(key));
  await hostile(
    'an API key to trade by a touch for one to read',
    signer.factors.checkApiKey({ ...key, factor: touch('api-key', id, 'read') }),
  );
  await honest('an API key by a touch', signer.factors.checkApiKey({ ...key, factor: touch('api-key', id, 'trade') }));
  await hostile('recovery codes without the factor', signer.factors.renewCodes({ ...base, id }));
  await hostile(
    'recovery codes by a touch for a login',
    signer.factors.renewCodes({ ...base, id, factor: touch('login', id) }),
  );
  await honest(
    'a login rule by a touch',
    signer.factors.setLoginRule({ ...base, id, on: true, factor: touch('login-rule', id, 'on') }),
  );
  await hostile('the login rule off without the factor', signer.factors.setLoginRule({ ...base, id, on: false }));
  await hostile('a login without the factor', signer.factors.checkLogin({ ...owner, sealedKey, id }));
  await honest(
    'a login by a touch',
    signer.factors.checkLogin({ ...owner, sealedKey, id, factor: touch('login', id) }),
  );
}

function solWithdrawal(wallet: Wallet, lamports: bigint): Scene {
  const scene = withdrawal(wallet.address);
  const destination = Keypair.generate().address;
  const instructions = [transferSol({ from: wallet.address, to: destination, lamports })];
  return { ...scene, instructions, policy: { ...scene.policy, destination, lamports: String(lamports) } };
}

function withPassword(scene: Scene, password: string): Scene {
  return { ...scene, policy: { ...scene.policy, password } };
}

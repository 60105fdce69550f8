import { callFactorMethod } from './factor-methods.ts';
import { readSecondFactor } from '../factors/second-factor.ts';
import { id, owner, type Params, password, sealTo, text } from './params.ts';
import { SignerError } from '../signer-error.ts';
import type { OwnLimits } from '../limits/own-limits.ts';
import { isStopKind, type StopKind } from '../limits/stop-switch.ts';
import type { Signer, SignRequest } from '../signer.ts';

/** Operators have numbers, so that two of them can be told apart; the server has none. The other of two signers is neither. */
export type Caller = { operator: number | null; isSigner: boolean };

const BATCH_MAX = 5_000;

/** The door: checks the form of every parameter and calls the signer. */
export async function callMethod(signer: Signer, caller: Caller, method: string, params: Params): Promise<unknown> {
  await signer.stops.applyDue();
  switch (method) {
    case 'createWallet':
      return signer.createWallet(owner(params), password(params, 'password'), sealTo(params));
    case 'createStrategyWallet':
      return signer.createStrategyWallet(owner(params));
    case 'commitsFinal':
      await signer.commitsFinal(texts(params, 'signatures'));
      return {};
    case 'sign':
      return { results: await signer.sign(list(params, 'requests').map(signRequest)) };
    case 'verifyPassword':
      await signer.verifyPassword(owner(params), text(params, 'sealedKey'), password(params, 'password'));
      return {};
    case 'changePassword':
      return {
        sealedKey: await signer.changePassword(
          owner(params),
          text(params, 'sealedKey'),
          password(params, 'oldPassword'),
          password(params, 'newPassword'),
        ),
      };
    case 'resetPassword':
      return {
        sealedKey: await signer.resetPassword(
          owner(params),
          text(params, 'sealedKey'),
          password(params, 'newPassword'),
        ),
      };
    case 'undoReset': {
      const factor = readSecondFactor(params.factor);
      const proof =
        factor === null ? { oldPassword: password(params, 'password') } : { id: id(params, 'proofId'), factor };
      return { sealedKey: await signer.undoReset(owner(params), text(params, 'sealedKey'), proof) };
    }
    case 'freeze':
      await signer.freeze(owner(params), text(params, 'sealedKey'));
      return {};
    case 'unfreeze':
      await signer.unfreeze(owner(params), text(params, 'sealedKey'), password(params, 'password'), {
        id: id(params, 'proofId'),
        factor: readSecondFactor(params.factor),
      });
      return {};
    case 'cancelExport':
      await signer.exports.cancel(owner(params), text(params, 'sealedKey'));
      return {};
    case 'previewWithdrawal':
      return signer.withdrawals.preview({ ...owner(params), sealedKey: text(params, 'sealedKey') }, params.policy);
    case 'ownLimits':
      return limitsReply(signer.withdrawals.ownLimits(owner(params)));
    case 'setOwnLimits': {
      const { delaysNew } = params;
      if (typeof delaysNew !== 'boolean') throw new SignerError('INVALID_PARAMS', 'delaysNew must be true or false');
      const chosen = await signer.withdrawals.setOwnLimits(
        { ...owner(params), sealedKey: text(params, 'sealedKey') },
        { dailyLamports: lamports(params, 'dailyLamports'), delaysNew },
        params.password === undefined ? null : password(params, 'password'),
      );
      return limitsReply({ ...signer.withdrawals.ownLimits(owner(params)), limits: chosen });
    }
    case 'exportKey':
      return {
        privateKey: await signer.exportKey(owner(params), text(params, 'sealedKey'), password(params, 'password'), {
          exportId: params.exportId === undefined ? null : id(params, 'exportId'),
          factor: readSecondFactor(params.factor),
          sealTo: sealTo(params),
          worthLamports: params.worthLamports === undefined ? null : lamports(params, 'worthLamports'),
        }),
      };
    case 'latestSealedKey':
      return { sealedKey: signer.latestSealedKey(owner(params)) };
    case 'rewrap':
      return {
        results: await signer.rewrap(
          list(params, 'sealedKeys').map((entry) => ({ ...owner(entry), sealedKey: text(entry, 'sealedKey') })),
        ),
      };
    case 'rotate':
      requireOperator(caller);
      return signer.rotate();
    case 'retireKey':
      requireOperator(caller);
      signer.retireKey(text(params, 'keyId'));
      return {};
    case 'setKillSwitch':
      if (typeof params.on !== 'boolean') throw new SignerError('INVALID_PARAMS', 'on must be true or false');
      // Anybody who may ask for signatures may stop them; only operators start them again.
      if (!params.on) return { waits: await signer.stops.askRelease(stopKind(params.kind), requireOperator(caller)) };
      await signer.stops.switchOn(stopKind(params.kind), caller.operator);
      return { waits: null };
    case 'confirmChange':
      await signer.stops.confirm(id(params, 'id'), requireOperator(caller));
      return {};
    case 'cancelChange':
      signer.stops.cancel(id(params, 'id'), requireOperator(caller));
      return {};
    case 'status':
      return signer.status();
    default:
      return callFactorMethod(signer.factorChanges, method, params);
  }
}

/** Amounts travel as decimal text. */
function limitsReply({ limits, dailyLamports, largeLamports }: ReturnType<Signer['withdrawals']['ownLimits']>): object {
  const own = (one: OwnLimits): object => ({ ...one, dailyLamports: String(one.dailyLamports) });
  return {
    now: own(limits.now),
    next: limits.next && own(limits.next),
    dailyLamports: String(dailyLamports),
    largeLamports: String(largeLamports),
  };
}

function requireOperator({ operator }: Caller): number {
  if (operator === null) throw new SignerError('UNAUTHORISED', 'this needs the operator token');
  return operator;
}

function signRequest(params: Params): SignRequest {
  return {
    ...owner(params),
    sealedKey: text(params, 'sealedKey'),
    transaction: text(params, 'transaction'),
    policy: params.policy,
  };
}

function stopKind(value: unknown): StopKind | null {
  if (value === undefined || value === null) return null;
  if (!isStopKind(value)) throw new SignerError('INVALID_PARAMS', 'no such kind to stop');
  return value;
}

function lamports(params: Params, name: string): bigint {
  const value = params[name];
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) {
    throw new SignerError('INVALID_PARAMS', `${name} is no amount`);
  }
  return BigInt(value);
}

function texts(params: Params, name: string): string[] {
  const value = params[name];
  if (!Array.isArray(value) || value.length > BATCH_MAX || !value.every((one) => typeof one === 'string')) {
    throw new SignerError('INVALID_PARAMS', `${name} is no list of texts`);
  }
  return value;
}

function list(params: Params, name: string): Params[] {
  const value = params[name];
  if (!Array.isArray(value) || value.length > BATCH_MAX) throw new SignerError('INVALID_PARAMS', `${name} is no list`);
  return (value as unknown[]).map((entry) => {
    if (typeof entry !== 'object' || entry === null) throw new SignerError('INVALID_PARAMS', `${name} has no objects`);
    return entry as Params;
  });
}

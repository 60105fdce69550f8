import { api } from '../../../../data/api.ts';
import type { MyFactors } from '../../../../data/factors.ts';
import { randomUuid } from '../../../../data/random-key.ts';
import { newSealKey, openReply, type SealKey } from '../../../../data/sealed-reply.ts';
import { createPasskey, type Intent, ownIntent, type SecondFactor } from '../../../../ui/passkey.ts';

export type FactorAction =
  | { kind: 'passkey' }
  | { kind: 'totp' }
  | { kind: 'remove'; id: string; name: string }
  | { kind: 'codes' }
  | { kind: 'login-rule'; on: boolean }
  | { kind: 'recover' }
  | { kind: 'cancel-recovery' }
  | { kind: 'finish-recovery' };

/** What an enrolled factor has to agree to (null where none has to), and what then happens; it may show new codes. */
export type Step = { intent: Intent | null; run: (factor: SecondFactor | undefined) => Promise<string[] | null> };

/** The secret of a new app, whose code makes the step. */
export type NewApp = { secret: string; stepOf: (code: string) => Step };

type CodesReply = { recoveryCodes: string[] | { publicKey: string; box: string } | null };

type Values = { password: string; name: string };
type Prepared = { key: SealKey | null; sealing: { sealTo?: string }; id: string; address: string };

/** Everything up to the point where an enrolled factor has to agree. Null where the browser made no passkey. */
export async function prepareChange(
  action: FactorAction,
  values: Values,
  factors: MyFactors,
  email: string,
): Promise<Step | NewApp | null> {
  const { password } = values;
  const { address } = factors;
  const key = await newSealKey();
  const prepared = { key, sealing: key === null ? {} : { sealTo: key.sealTo }, id: randomUuid(), address };
  if (action.kind === 'passkey') return newPasskey(values, prepared, factors, email);
  if (action.kind === 'totp') return newApp(values, prepared);
  if (action.kind === 'recover') {
    return { intent: null, run: () => done(api.call('startRecovery', { password })) };
  }
  if (action.kind === 'cancel-recovery') {
    return { intent: null, run: () => done(api.call('cancelRecovery', {})) };
  }
  if (action.kind === 'finish-recovery') {
    return { intent: null, run: () => done(api.call('finishRecovery', { password })) };
  }
  return changeOfEnrolled(action, password, prepared);
}

function changeOfEnrolled(
  action: FactorAction & { kind: 'remove' | 'codes' | 'login-rule' },
  password: string,
  { key, sealing, id, address }: Prepared,
): Step {
  if (action.kind === 'remove') {
    return {
      intent: ownIntent('remove', address, action.id),
      run: (factor) => done(api.call('removeFactor', { ...proof(password, factor), id: action.id })),
    };
  }
  if (action.kind === 'login-rule') {
    return {
      intent: ownIntent('login-rule', address, id, action.on ? 'on' : 'off'),
      run: (factor) => done(api.call('setLoginRule', { ...proof(password, factor), id, on: action.on })),
    };
  }
  return {
    intent: ownIntent('codes', address, id),
    run: async (factor) =>
      openCodes(key, address, await api.call('renewRecoveryCodes', { ...proof(password, factor), ...sealing, id })),
  };
}

async function newPasskey(
  { password, name }: Values,
  { key, sealing, id, address }: Prepared,
  { rpId, passkeys }: MyFactors,
  email: string,
): Promise<Step | null> {
  const existing = passkeys.map((passkey) => passkey.id);
  const intent = ownIntent('register-passkey', address, id);
  const created = await createPasskey(intent, { rpId, email, existing }).catch(() => null);
  if (created === null) return null;
  const { credentialId, ...made } = created;
  const request = { ...made, ...sealing, id, name: name.trim() };
  return {
    intent: ownIntent('enrol', address, credentialId),
    run: async (factor) =>
      openCodes(key, address, await api.call('enrolPasskey', { ...proof(password, factor), ...request })),
  };
}

async function newApp({ password, name }: Values, { key, sealing, address }: Prepared): Promise<NewApp> {
  const started = await api.call('startTotp', { password, ...sealing });
  const request = { ...sealing, id: started.id, name: name.trim() };
  return {
    secret: await openReply(key, started.secret, 'totp-secret', address),
    stepOf: (code) => ({
      intent: ownIntent('enrol', address, started.id),
      run: async (factor) =>
        openCodes(key, address, await api.call('confirmTotp', { ...proof(password, factor), ...request, code })),
    }),
  };
}

function proof(password: string, factor: SecondFactor | undefined): { password: string; factor?: SecondFactor } {
  return { password, ...(factor && { factor }) };
}

async function done(call: Promise<unknown>): Promise<null> {
  await call;
  return null;
}

async function openCodes(
  key: SealKey | null,
  address: string,
  { recoveryCodes }: CodesReply,
): Promise<string[] | null> {
  if (recoveryCodes === null || Array.isArray(recoveryCodes)) return recoveryCodes;
  return (await openReply(key, recoveryCodes, 'recovery-codes', address)).split('\n');
}

import type { SignerClient } from '@hunter/signer-client/signer-client';
import { SignerError } from '@hunter/signer-client/signer-error';
import { randomUUID } from 'node:crypto';
import { Authenticator, type Twist } from '../../../apps/signer/src/fixtures/an-authenticator.ts';
import { PASSWORD, withdrawal } from '../../../apps/signer/src/fixtures/transaction-scenes.ts';
import type { Intent } from '../../../apps/signer/src/factors/intent.ts';
import { codeOf, personalWallet, type RawSign, requestOf } from './signer-wallets.ts';
import { newTries, type Tried } from './tries.ts';

/** A server that knows the password, and sees every touch of the owner's passkey, tries to get more than he agreed to. */
export async function attackFactors(signer: SignerClient, sign: RawSign): Promise<Tried> {
  const { owner, sealedKey, address } = await personalWallet(signer, 'with-factor');
  const wallet = { owner, sealedKey, address };
  const device = new Authenticator();
  const own = (kind: Intent['kind'], id: string): Intent => ({
    kind,
    asset: '-',
    destination: address,
    amount: '0',
    id,
  });
  const base = { ...owner, sealedKey, password: PASSWORD };
  const { tried, hostile, honest } = newTries();

  const enrol = (made: Authenticator, more: object) =>
    signer.factors.enrolPasskey({ ...base, name: 'key', ...made.create(address, randomUUID()), ...more });
  await hostile('enrol without the password', enrol(new Authenticator(), { password: 'a guess' }));
  await honest('enrol', enrol(device, {}));
  await hostile('enrol a second without the first', enrol(new Authenticator(), {}));
  await hostile('an app without the passkey', enrolApp(signer, base));

  const wanted = () => {
    const scene = withdrawal(address);
    const { destination, lamports, withdrawalId } = scene.policy as Record<string, string>;
    const intent: Intent = {
      kind: 'withdrawal',
      asset: 'SOL',
      destination: destination!,
      amount: lamports!,
      id: withdrawalId!,
    };
    const pay = async (factor?: object): Promise<void> => {
      const request = requestOf(wallet, scene);
      const [outcome] = await sign([{ ...request, policy: { ...request.policy, ...(factor && { factor }) } }]);
      if (codeOf(outcome) !== 'SIGNED') throw new SignerError('DENIED', codeOf(outcome));
    };
    return { intent, pay };
  };
  const misuse = async (name: string, other: (intent: Intent) => Intent, twist?: Twist): Promise<void> => {
    const { intent, pay } = wanted();
    await hostile(name, pay(device.sign(other(intent), twist)));
  };

  await hostile('no factor', wanted().pay());
  await misuse('another id', (intent) => ({ ...intent, id: randomUUID() }));
  await misuse('another amount', (intent) => ({ ...intent, amount: '1' }));
  await misuse('another destination', (intent) => ({ ...intent, destination: address }));
  await misuse('a touch for an export', (intent) => ({ ...intent, kind: 'export' }));
  const { intent, pay } = wanted();
  const touch = device.sign(intent);
  await honest('withdraw with a touch', pay(touch));
  await hostile('the same touch again', pay(touch));
  await hostile('the same touch for an export', signer.exportKey({ ...base, exportId: intent.id, factor: touch }));
  await misuse('another origin', (same) => same, { origin: 'https://hunter.example' });
  await misuse('another domain', (same) => same, { rpId: 'hunter.example' });
  const exportId = randomUUID();
  const toShow = device.sign({ ...own('export', exportId), asset: 'SOL' });
  await hostile('export without a factor', signer.exportKey({ ...base, exportId }));
  await honest('export with a touch', signer.exportKey({ ...base, exportId, factor: toShow }));
  await misuse('nobody verified', (same) => same, { flags: 0x01 });
  await misuse('nobody there', (same) => same, { flags: 0x04 });
  for (let index = 0; index < 25; index += 1) {
    await hostile(`garbage to lock the owner out #${index}`, wanted().pay(new Authenticator().sign(own('login', 'x'))));
  }
  const after = wanted();
  await honest('withdraw with a touch after them', after.pay(device.sign(after.intent)));
  await hostile('remove without a factor', signer.factors.remove({ ...base, id: device.credentialId }));
  await signer.factors.startRecovery(base);
  await hostile('finish a recovery at once', signer.factors.finishRecovery(base));
  return tried;
}

async function enrolApp(
  signer: SignerClient,
  base: Parameters<SignerClient['factors']['startTotp']>[0],
): Promise<void> {
  const { id } = await signer.factors.startTotp(base);
  await signer.factors.confirmTotp({ ...base, id, code: '000000', name: 'app' });
}

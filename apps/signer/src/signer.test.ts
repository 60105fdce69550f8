import type { Address } from '@hunter/solana/address';
import { expect, it, onTestFinished, vi } from 'vitest';
import { aSigner } from './fixtures/a-signer.ts';
import { PASSWORD, transactionOf, withdrawal } from './fixtures/transaction-scenes.ts';

const PASSWORDS_AT_ONCE = 5_002;

it('lives on where one of many requests cannot be served while later ones are still being begun', async () => {
  const unheard = vi.fn<NodeJS.UnhandledRejectionListener>();
  process.on('unhandledRejection', unheard);
  onTestFinished(() => void process.off('unhandledRejection', unheard));
  const { signer } = aSigner();
  const owner = { userId: 'user-1', walletId: 'wallet-1' };
  const { address, sealedKey } = await signer.createWallet(owner, PASSWORD);
  const requests = Array.from({ length: 100 }, () => {
    const scene = withdrawal(address as Address);
    return { ...owner, sealedKey, transaction: transactionOf(scene), policy: scene.policy };
  });
  const many = Array.from({ length: PASSWORDS_AT_ONCE }, (_, index) =>
    signer.createWallet({ userId: `user-${index}`, walletId: `many-${index}` }, PASSWORD).catch(() => {}),
  );
  await expect(signer.sign(requests)).rejects.toMatchObject({ code: 'BUSY' });
  expect(unheard).not.toHaveBeenCalled();
  await Promise.all(many);
});

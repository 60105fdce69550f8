import { AppError } from '@hunter/contract/app-error';
import { networkOf } from '../platform/network-of.ts';
import type { Accounts, Origin } from './accounts.ts';
import { deviceFingerprint } from './known-devices.ts';
import { beginAll } from './login-throttle.ts';

/**
 * Counts a try at an account as failed before anything is verified, so that many at once cannot all slip through before the first has
 * failed; answers what takes a right one back. Tries slow down the account for strangers and the network address; a device that has
 * logged in before is counted by itself, so that strangers cannot keep its owner out. Throws RATE_LIMITED.
 */
export async function beginTry(
  { throttles }: Pick<Accounts, 'throttles'>,
  { key, isKnownDevice }: { key: string; isKnownDevice: boolean },
  origin: Origin,
): Promise<() => Promise<void>> {
  const { account, device, address } = throttles;
  const network = networkOf(origin.address);
  const deviceKey = `${key}\n${deviceFingerprint(origin).toString('base64')}`;
  const pause = isKnownDevice
    ? await device.begin(deviceKey)
    : await beginAll([
        { throttle: account, key },
        { throttle: address, key: network },
      ]);
  if (pause > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: pause });
  return async () => {
    if (isKnownDevice) return device.succeeded(deviceKey);
    await account.succeeded(key);
    // Somebody with an account of his own must not wipe out his guesses at others.
    await address.takeBack(network);
  };
}

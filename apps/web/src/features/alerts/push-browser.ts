// This browser as a device that gets push messages.
import { api } from '../../data/api.ts';
import { browserStorage } from '../../ui/browser-storage.ts';
import { toBase64url } from '../../ui/base64url.ts';

/** Whose messages this browser gets, so that the next login of the same user goes on with them. */
const OWNER_KEY = 'pushOwner';

export type PushSupport = 'ready' | 'denied' | 'unsupported';

/** What is missing before push messages can be turned on here. */
export async function pushSupport(): Promise<PushSupport> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis)) {
    return 'unsupported';
  }
  if (Notification.permission === 'denied') return 'denied';
  return (await navigator.serviceWorker.getRegistration()) ? 'ready' : 'unsupported';
}

async function subscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** By which this browser stands in the list of devices; null where it has no subscription. */
export async function ownDeviceId(): Promise<string | null> {
  const own = await subscription();
  if (!own) return null;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(own.endpoint));
  return toBase64url(new Uint8Array(hash));
}

/** Asks for permission. Answers false where the user did not give it. */
export async function turnOnPush(publicKey: string, email: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return false;
  const wanted = { userVisibleOnly: true, applicationServerKey: publicKey };
  // A subscription for another key, as of another installation at this address, would refuse a new one.
  const own = await registration.pushManager.subscribe(wanted).catch(async () => {
    await (await subscription())?.unsubscribe();
    return registration.pushManager.subscribe(wanted);
  });
  await announce(own);
  browserStorage.setItem(OWNER_KEY, email);
  return true;
}

export async function turnOffPush(): Promise<void> {
  browserStorage.removeItem(OWNER_KEY);
  await (await subscription())?.unsubscribe();
}

/** After a login, and at every start: a subscription ends with its session on the server, and browsers renew theirs. */
export async function renewPush(email: string): Promise<void> {
  if (browserStorage.getItem(OWNER_KEY) !== email) return;
  const own = await subscription();
  if (!own) return;
  await announce(own, true).catch((error: unknown) => console.warn('Push messages could not be renewed', error));
}

async function announce(own: PushSubscription, quiet = false): Promise<void> {
  const { endpoint, keys } = own.toJSON();
  await api.call(
    'addPushDevice',
    { endpoint: endpoint!, p256dh: keys!['p256dh']!, auth: keys!['auth']! },
    { skipErrorHandling: quiet },
  );
}

import { expect, it } from 'vitest';
import { pushUrl } from './push-endpoint.ts';

const production = { hosts: ['fcm.googleapis.com', 'push.apple.com'], loopback: false };

it('takes the push services on the list, with their subdomains', () => {
  for (const endpoint of ['https://fcm.googleapis.com/fcm/send/x', 'https://web.push.apple.com/y']) {
    expect(pushUrl(endpoint, production)?.href).toBe(endpoint);
  }
});

it.each([
  'http://fcm.googleapis.com/x',
  'https://fcm.googleapis.com:8443/x',
  'https://user:pass@fcm.googleapis.com/x',
  'https://notfcm.googleapis.com.evil.example/x',
  'https://evilpush.apple.com/x',
  'https://169.254.169.254/latest/meta-data',
  'https://localhost/x',
  'http://127.0.0.1:9000/x',
  'file:///etc/passwd',
  'no address',
])('refuses %s', (endpoint) => {
  expect(pushUrl(endpoint, production)).toBeNull();
});

it('takes a push service on this machine only where that is allowed', () => {
  const local = { ...production, loopback: true };
  expect(pushUrl('http://127.0.0.1:9000/x', local)?.port).toBe('9000');
  expect(pushUrl('http://10.0.0.1/x', local)).toBeNull();
  expect(pushUrl('http://127.0.0.1.evil.example/x', local)).toBeNull();
});

import { expect, it } from 'vitest';
import { readPushMessage } from './push-message.ts';

it('reads what the server wrote', () => {
  const message = { title: 'Skipped: buy CAT', text: 'Moon: coin cap', path: '/strategies/moon' };
  expect(readPushMessage(JSON.stringify(message))).toEqual(message);
});

it.each(['', 'no json', 'null', '[]', '{"title":5}'])('shows something for %j', (json) => {
  expect(readPushMessage(json)).toEqual({ title: 'Hunter', text: '', path: '/account?tab=notifications' });
});

it.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/\t/evil.example', 'javascript:alert(1)'])(
  'does not lead to %s',
  (path) => {
    expect(readPushMessage(JSON.stringify({ title: 'x', text: 'y', path })).path).toBe('/account?tab=notifications');
  },
);

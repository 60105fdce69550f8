import { expect, it } from 'vitest';
import { ManualClock } from '../platform/clock-for-test.ts';
import type { Database } from '../platform/postgres.ts';
import { Sessions } from './sessions.ts';

it('takes no session for open that ended while it was being read, and another one all the same', async () => {
  const row = { id: 'read', user_id: 'user', email: 'ann@example.com', last_seen_at: new Date() };
  let ends = '';
  // Answers what was there before the end was told.
  const query = async () => {
    sessions.forget([ends]);
    return [row];
  };
  const sessions = new Sessions({ query } as unknown as Database, new ManualClock());
  ends = 'another';
  expect(await sessions.authenticate('token')).toMatchObject({ sessionId: 'read' });
  ends = 'read';
  expect(await sessions.authenticate('a second token')).toBeNull();
});

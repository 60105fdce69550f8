// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useSessionsEnded } from '../../data/session.ts';
import { show } from '../../show-for-test.tsx';
import FreezePage from './freeze-page.tsx';

/** As the shell does it: nothing of a session stays when it ends. */
function Shell() {
  return <FreezePage key={useSessionsEnded()} />;
}

it('says that the account is frozen, also to somebody whose session ended with it', async () => {
  location.hash = `#${'a'.repeat(43)}`;
  await show(<Shell />, { replies: { freezeAccount: {} } });
  fireEvent.click(screen.getByRole('button', { name: 'Freeze account' }));
  expect(await screen.findByRole('heading', { name: 'Your account is frozen' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Freeze account' })).toBeNull();
});

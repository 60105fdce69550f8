// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../show-for-test.tsx';
import { PageError } from './page-error.tsx';

it('tries again with a new document, as code that did not load stays refused in this one', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  await show(<PageError error={new Error('no code')} reset={() => {}} />);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(reload).toHaveBeenCalledOnce();
});

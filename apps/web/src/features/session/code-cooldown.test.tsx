// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../show-for-test.tsx';
import { useCodeCooldown } from './code-cooldown.ts';

function Countdown() {
  const { seconds, start } = useCodeCooldown('register');
  return (
    <button type="button" onClick={() => start(60)}>
      {seconds}
    </button>
  );
}

it('goes on counting after the page was loaded again', async () => {
  await show(<Countdown />);
  act(() => screen.getByRole('button').click());
  expect(screen.getByRole('button').textContent).toBe('60');
  await show(<Countdown />);
  const [, reloaded] = screen.getAllByRole('button');
  expect(Number(reloaded?.textContent)).toBeGreaterThan(50);
});

// @vitest-environment happy-dom
import {
  createBrowserHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
  useLocation,
} from '@tanstack/react-router';
import { act, cleanup, render, screen } from '@testing-library/react';
import { StrictMode, useEffect, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useCloseOnBack } from './close-on-back.ts';

let setOpen: (open: readonly string[]) => void;
/** The dialog that stays open when it is asked to close. */
let locked: string | undefined;

function OpenDialog({ name, onClose }: { name: string; onClose: () => void }) {
  useCloseOnBack(true, () => {
    if (name !== locked) onClose();
  });
  return <p role="dialog">{name}</p>;
}

function App() {
  const [open, set] = useState<readonly string[]>([]);
  useEffect(() => {
    setOpen = set;
  }, []);
  return (
    <>
      <h1>{useLocation().pathname}</h1>
      {open.map((name) => (
        <OpenDialog key={name} name={name} onClose={() => set(open.filter((each) => each !== name))} />
      ))}
    </>
  );
}

const aRouter = () => createRouter({ routeTree: createRootRoute({ component: App }), history: createBrowserHistory() });
let router: ReturnType<typeof aRouter>;

/** What is to be seen: the browser's address, the page and the dialogs over it. */
const seen = () => [
  location.pathname,
  screen.getByRole('heading').textContent,
  ...screen.queryAllByRole('dialog').map((each) => each.textContent),
];
/** Does something and all that follows from it. */
async function done(what: () => void): Promise<void> {
  await act(async () => what());
  await act(async () => void vi.runAllTimers());
  await act(async () => void vi.runAllTimers());
}
const open = (...names: string[]) => done(() => setOpen(names));
const back = () => done(() => history.back());
const visit = (href: string) => done(() => router.history.push(href));

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  locked = undefined;
  router = aRouter();
  await router.load();
  render(
    <StrictMode>
      <RouterProvider router={router as never} />
    </StrictMode>,
  );
  await visit('/list');
  await visit('/token');
});
afterEach(() => {
  cleanup();
  router.history.destroy();
  vi.useRealTimers();
});

it('closes the innermost dialog on Back and stays on the page', async () => {
  await open('sheet', 'question');
  await back();
  expect(seen()).toEqual(['/token', '/token', 'sheet']);
  await back();
  expect(seen()).toEqual(['/token', '/token']);
  await back();
  expect(seen()).toEqual(['/list', '/list']);
});

it('leaves a dialog open that refuses to close, however often Back is pressed', async () => {
  locked = 'sheet';
  await open('sheet');
  await back();
  await back();
  expect(seen()).toEqual(['/token', '/token', 'sheet']);
  locked = undefined;
  await back();
  expect(seen()).toEqual(['/token', '/token']);
});

it('leaves no entry behind when the dialog closes by its button', async () => {
  await open('sheet');
  await open();
  await open('sheet');
  await open('question');
  await open();
  await back();
  expect(seen()).toEqual(['/list', '/list']);
});

it('does nothing on Forward after a dialog was closed', async () => {
  await open('sheet');
  await back();
  await done(() => history.forward());
  expect(seen()).toEqual(['/token', '/token']);
  await back();
  expect(seen()).toEqual(['/list', '/list']);
});

it('lets a link in a dialog lead on, and back to the page', async () => {
  await open('sheet');
  await done(() => {
    setOpen([]);
    router.history.push('/wallet');
  });
  expect(seen()).toEqual(['/wallet', '/wallet']);
  await back();
  expect(seen()).toEqual(['/token', '/token']);
  await back();
  expect(seen()).toEqual(['/list', '/list']);
});

it('stays over a page that changes below the dialog', async () => {
  await open('sheet');
  await visit('/wallet');
  await back();
  expect(seen()).toEqual(['/wallet', '/wallet']);
  await back();
  expect(seen()).toEqual(['/token', '/token']);
});

it('keeps the address that was replaced while the dialog was open', async () => {
  await open('sheet');
  await done(() => router.history.replace('/token2'));
  expect(seen()).toEqual(['/token2', '/token2', 'sheet']);
  await back();
  expect(seen()).toEqual(['/token2', '/token2']);
  await open('sheet');
  await done(() => {
    setOpen([]);
    router.history.replace('/token3');
  });
  expect(seen()).toEqual(['/token3', '/token3']);
  await back();
  expect(seen()).toEqual(['/list', '/list']);
});

it('goes on to a page that is opened while the browser still leaves the entry of the dialog', async () => {
  const go = history.go.bind(history);
  vi.spyOn(history, 'go').mockImplementationOnce((steps) => void setTimeout(() => go(steps), 20));
  await open('sheet');
  await act(async () => setOpen([]));
  await act(async () => void vi.advanceTimersByTime(10));
  await act(async () => router.history.push('/wallet'));
  await done(() => {});
  expect(seen()).toEqual(['/wallet', '/wallet']);
  await back();
  expect(seen()).toEqual(['/token', '/token']);
  await back();
  expect(seen()).toEqual(['/list', '/list']);
});

it('jumps over the dialog to a page further back', async () => {
  await open('sheet');
  await done(() => history.go(-2));
  expect(seen().slice(0, 2)).toEqual(['/list', '/list']);
});

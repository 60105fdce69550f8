// @vitest-environment happy-dom
import { createBrowserHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
// Loaded beforehand: it is fetched when a menu opens, which may take long on a busy machine.
import './close-menu-on-back.tsx';
import { Menu } from './menu.tsx';

const choose = vi.fn<() => void>();
const aRouter = () =>
  createRouter({
    routeTree: createRootRoute({
      component: () => (
        <Menu label="Language" trigger="EN" items={[{ key: 'zh', label: '简体中文', onSelect: choose }]} />
      ),
    }),
    history: createBrowserHistory(),
  });
let router: ReturnType<typeof aRouter>;

const isOverPage = () => (history.state as { dialogOver?: string }).dialogOver !== undefined;
async function visit(path: string): Promise<void> {
  await act(async () => router.history.push(path));
  await expect.poll(() => location.pathname).toBe(path);
}
async function openMenu(): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: 'Language' }));
  await expect.poll(() => isOverPage()).toBe(true);
}
async function expectBackToList(): Promise<void> {
  await expect.poll(() => isOverPage()).toBe(false);
  await act(async () => history.back());
  await expect.poll(() => location.pathname).toBe('/list');
}

beforeEach(async () => {
  router = aRouter();
  await router.load();
  render(<RouterProvider router={router as never} />);
  await visit('/list');
  await visit('/token');
});
afterEach(() => {
  cleanup();
  router.history.destroy();
});

it('closes on Back, stays on the page and gives the focus back to its button', async () => {
  await openMenu();
  await act(async () => history.back());
  await expect.poll(() => screen.queryByRole('menu')).toBeNull();
  expect(location.pathname).toBe('/token');
  expect(document.activeElement).toBe(screen.getByRole('button'));
  await expectBackToList();
});

it('leaves nothing for Back to undo once an item is chosen', async () => {
  await openMenu();
  fireEvent.click(screen.getByRole('menuitem', { name: '简体中文' }));
  expect(choose).toHaveBeenCalledOnce();
  await expectBackToList();
});

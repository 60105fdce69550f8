import { describe, expect, it } from 'vitest';
import { checkGraph, findCycles, importsOf, refusal, resolveImport, type ImportGraph } from './check-imports.ts';

const graph = (edges: Record<string, string[]>): ImportGraph =>
  new Map(
    Object.entries(edges).map(([file, targets]) => [file, targets.map((target) => ({ specifier: target, target }))]),
  );

describe('importsOf', () => {
  it('finds every form of import, and none in a comment', () => {
    const source = `
      import { a } from './a.ts';
      import type { B } from "./b.ts";
      import './c.css';
      import d, {
        e,
      } from '@hunter/domain/d';
      export { f } from './f.ts';
      export * from './g.ts';
      const h = await import('./h.ts');
      // import { no } from './no.ts';
      /* import { never } from './never.ts'; */
      export const text = 'nothing from here';
    `;
    expect(importsOf(source)).toEqual([
      './a.ts',
      './b.ts',
      './c.css',
      '@hunter/domain/d',
      './f.ts',
      './g.ts',
      './h.ts',
    ]);
  });
});

describe('resolveImport', () => {
  it('follows relative paths, packages of the project and foreign ones', () => {
    const exists = (path: string): boolean => path === 'apps/web/src/ui/button.tsx';
    expect(resolveImport('apps/web/src/pages/login.tsx', '../ui/button', exists)).toBe('apps/web/src/ui/button.tsx');
    expect(resolveImport('apps/web/src/main.tsx', '@hunter/domain/numbers/lamports', exists)).toBe(
      'packages/domain/src/numbers/lamports.ts',
    );
    expect(resolveImport('apps/web/src/main.tsx', 'react', exists)).toBe('react');
  });
});

describe('the import rules', () => {
  it.each([
    ['packages/domain/src/numbers/lamports.ts', 'node:crypto'],
    ['packages/contract/src/envelope.ts', 'packages/solana/src/message.ts'],
    ['packages/contract/src/envelope.ts', 'fastify'],
    ['packages/solana/src/message.ts', 'apps/server/src/main.ts'],
    ['packages/verify/src/sha256.ts', 'packages/domain/src/numbers/lamports.ts'],
    ['packages/verify/src/sha256.ts', 'node:crypto'],
    ['apps/signer/src/main.ts', 'packages/domain/src/numbers/lamports.ts'],
    ['apps/signer/src/main.ts', 'pg'],
    ['apps/server/src/main.ts', 'apps/localnet/src/main.ts'],
    ['apps/server/src/main.ts', 'scripts/database-for-test.ts'],
    ['apps/server/src/http/build-server.ts', 'apps/server/src/roles/api.ts'],
    ['apps/server/src/main.ts', 'apps/server/src/accounts/accounts-for-test.ts'],
    ['apps/server/src/trading/place-order.ts', 'apps/server/src/strategies/follow.ts'],
    ['apps/server/src/ledger/books.ts', 'apps/server/src/accounts/register.ts'],
    ['apps/server/src/trading/place-order.ts', 'apps/server/src/treasury/withdraw.ts'],
    ['apps/server/src/treasury/withdraw.ts', 'apps/server/src/portfolio/account.ts'],
    ['apps/server/src/market/candles.ts', 'apps/server/src/http/server.ts'],
    ['apps/server/src/platform/outbox.ts', 'apps/server/src/ledger/books.ts'],
    ['packages/domain/src/copying/round-plan.ts', 'packages/domain/src/record/ranking.ts'],
    ['apps/signer/src/limits/settings.ts', 'apps/signer/src/memory/signer-state.ts'],
    ['apps/web/src/ui/button.tsx', 'apps/web/src/features/trade/panel.tsx'],
    ['apps/web/src/features/trade/panel.tsx', 'apps/web/src/pages/token.tsx'],
    ['apps/web/src/features/trade/panel.tsx', 'apps/web/src/features/follow/dialog.tsx'],
  ])('refuse %s → %s', (file, target) => {
    expect(refusal(file, target)).toBeDefined();
  });

  it.each([
    ['packages/contract/src/envelope.ts', 'zod'],
    ['packages/signer-client/src/signer-client.ts', 'node:net'],
    ['apps/server/src/main.ts', 'packages/solana/src/message.ts'],
    ['apps/server/src/strategies/follow.ts', 'apps/server/src/trading/place-order.ts'],
    ['apps/server/src/trading/place-order.ts', 'apps/server/src/ledger/books.ts'],
    ['apps/server/src/http/routes.ts', 'apps/server/src/strategies/follow.ts'],
    ['apps/server/src/ledger/books.db.test.ts', 'scripts/database-for-test.ts'],
    ['apps/server/src/accounts/accounts-for-test.ts', 'apps/server/src/http/routes.ts'],
    ['apps/signer/src/main.ts', 'node:net'],
    ['apps/signer/src/requests/withdrawals.ts', 'apps/signer/src/memory/signer-state.ts'],
    ['packages/domain/src/numbers/lamports.ts', 'packages/domain/src/invariant-error.ts'],
    ['apps/web/src/pages/token.tsx', 'apps/web/src/features/trade/panel.tsx'],
    ['apps/web/src/features/trade/panel.tsx', 'apps/web/src/features/trade/amount.tsx'],
    ['apps/web/src/features/trade/panel.tsx', 'apps/web/src/ui/button.tsx'],
  ])('allow %s → %s', (file, target) => {
    expect(refusal(file, target)).toBeUndefined();
  });

  it('find a cycle once, with the files on it', () => {
    expect(findCycles(graph({ 'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': ['b.ts', 'd.ts'], 'd.ts': [] }))).toEqual([
      ['b.ts', 'c.ts', 'b.ts'],
    ]);
  });

  it('name the file and the reason', () => {
    expect(checkGraph(graph({ 'packages/domain/src/a.ts': ['zod'] }))).toEqual([
      'packages/domain/src/a.ts: packages/domain may not import zod',
    ]);
  });
});

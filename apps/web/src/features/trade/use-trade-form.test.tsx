// @vitest-environment happy-dom
import { act, waitFor } from '@testing-library/react';
import { useEffect, useRef, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { queryClient } from '../../data/query-client.ts';
import { answering, show } from '../../show-for-test.tsx';
import type { OrderProgress } from './order-progress.ts';
import type { PlannedOrders } from './planned-lines.ts';
import { useTradeForm } from './use-trade-form.ts';

const request = {
  tokenContractAddress: 'So11111111111111111111111111111111111111112',
  side: 'buy',
  amount: '0.5',
} as const;
const replies = {
  quote: {
    side: 'buy' as const,
    amountIn: '0.5',
    expectedOut: '1000',
    minimumOut: '990',
    price: '0.0005',
    priceUsd: null,
    priceImpact: '0.5',
    impactLevel: 'ok' as const,
    slippageBps: 100,
    fees: { network: '0.002', venue: '0.0025', rent: '0', rentIsMaximum: false, total: '0.0045' },
    expiresAt: 0,
  },
  getMyTokenAmount: {
    amount: '0',
    books: [
      {
        bookId: 'b',
        bookKind: 'personal' as const,
        bookName: '',
        amount: '0',
        availableSol: '10',
        tradable: true,
      },
    ],
  },
};

let told: PlannedOrders | null = null;
let change: (to: { stop?: string; progress?: OrderProgress; isOpen?: boolean }) => void;
const onPlanned = (orders: PlannedOrders | null) => {
  told = orders;
};

function Panel({ stop, progress }: { stop: string; progress: OrderProgress }) {
  const form = useTradeForm(
    {
      address: request.tokenContractAddress,
      side: 'buy',
      focusRequest: 0,
      bookId: null,
      amounts: { buy: '0.5', sell: '' },
      onAmounts: () => {},
      order: { progress, submit: () => {}, askAgain: () => {}, reset: () => {}, watch: () => () => {} },
      onPlanned,
    },
    useRef(null),
  );
  const { setProtect } = form;
  const choose = useRef(setProtect);
  useEffect(() => choose.current({ isOn: stop !== '', stop, target: '', trail: '' }), [stop]);
  return null;
}

function Page() {
  const [state, setState] = useState({ stop: '20', progress: { phase: 'idle' } as OrderProgress, isOpen: true });
  useEffect(() => {
    change = (to) => setState((before) => ({ ...before, ...to }));
  }, []);
  return state.isOpen && <Panel {...state} />;
}

it('tells of a buy while it is composed with protection, until it is sent or the form is left', async () => {
  await show(<Page />, { replies });
  const withStop = (stop: string) => ({
    bookId: 'b',
    tokens: '1000',
    cost: '0.502',
    levels: { stop, target: '', trail: '' },
  });
  await waitFor(() => expect(told).toEqual(withStop('20')));
  act(() => change({ stop: '25' }));
  expect(told).toEqual(withStop('25'));
  act(() => change({ stop: '' }));
  expect(told).toBeNull();
  act(() => change({ stop: '10' }));
  expect(told).toEqual(withStop('10'));
  act(() => change({ progress: { phase: 'signing', request } }));
  expect(told).toBeNull();
  act(() => change({ progress: { phase: 'idle' } }));
  expect(told).not.toBeNull();
  act(() => change({ isOpen: false }));
  expect(told).toBeNull();
});

const strategyBook = {
  ...replies.getMyTokenAmount.books[0]!,
  bookId: 's',
  bookKind: 'strategy' as const,
  bookName: 'Alpha',
};
const books = (...lists: (typeof strategyBook | (typeof replies.getMyTokenAmount.books)[number])[]) => ({
  getMyTokenAmount: { amount: '0', books: lists },
});

function Composed({ onForm, typed = '' }: { onForm: (form: ReturnType<typeof useTradeForm>) => void; typed?: string }) {
  const [amounts, setAmounts] = useState({ buy: typed, sell: '' });
  const form = useTradeForm(
    {
      address: request.tokenContractAddress,
      side: 'buy',
      focusRequest: 0,
      bookId: 's',
      amounts,
      onAmounts: setAmounts,
      order: {
        progress: { phase: 'idle' },
        submit: () => {},
        askAgain: () => {},
        reset: () => {},
        watch: () => () => {},
      },
      onPlanned,
    },
    useRef(null),
  );
  useEffect(() => {
    onForm(form);
  });
  return null;
}

it('forgets an amount that was typed for a strategy which ends meanwhile', async () => {
  let form: ReturnType<typeof useTradeForm> | undefined;
  const [personal] = replies.getMyTokenAmount.books;
  const onForm = (next: typeof form) => {
    form = next;
  };
  await show(<Composed onForm={onForm} />, { replies: { ...replies, ...books(personal!, strategyBook) } });
  await waitFor(() => expect(form?.book?.bookId).toBe('s'));
  act(() => form!.setAmount('5'));
  expect(form!.amount).toBe('5');
  vi.stubGlobal('fetch', vi.fn(answering({ ...replies, ...books(personal!) })));
  await act(() => queryClient.invalidateQueries({ queryKey: ['getMyTokenAmount'] }));
  await waitFor(() => expect(form!.book?.bookId).toBe('b'));
  expect(form!.amount).toBe('');
});

it('forgets an amount that was typed for a strategy which ended while the form was closed', async () => {
  let form: ReturnType<typeof useTradeForm> | undefined;
  const onForm = (next: typeof form) => {
    form = next;
  };
  const [personal] = replies.getMyTokenAmount.books;
  await show(<Composed typed="5" onForm={onForm} />, { replies: { ...replies, ...books(personal!) } });
  await waitFor(() => expect(form?.book?.bookId).toBe('b'));
  expect(form!.amount).toBe('');
});

it('keeps an amount that was typed before the form was closed', async () => {
  let form: ReturnType<typeof useTradeForm> | undefined;
  const onForm = (next: typeof form) => {
    form = next;
  };
  const [personal] = replies.getMyTokenAmount.books;
  await show(<Composed typed="5" onForm={onForm} />, { replies: { ...replies, ...books(personal!, strategyBook) } });
  await waitFor(() => expect(form?.book?.bookId).toBe('s'));
  expect(form!.amount).toBe('5');
});

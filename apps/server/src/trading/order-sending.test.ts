import { expect, it } from 'vitest';
import type { SignedTransaction } from '../sending/signed-transaction.ts';
import type { EnginePorts } from './engine-ports.ts';
import { OrderSending } from './order-sending.ts';

it('sends what was left behind beside each other, so that a venue that hangs holds them up once', async () => {
  const answered = Promise.withResolvers<{ code: 'PRICE_MOVED'; error: null }>();
  let asked = 0;
  const venue = {
    execute: () => {
      asked += 1;
      return answered.promise;
    },
  };
  const sending = new OrderSending({ venue } as unknown as EnginePorts, async () => 0);
  const transactions = Array.from({ length: 40 }, (_, index) => ({ signature: `${index}` }) as SignedTransaction);
  const sent = sending.send(transactions);
  expect(asked).toBe(32);
  answered.resolve({ code: 'PRICE_MOVED', error: null });
  expect([...(await sent).keys()].toSorted()).toEqual(transactions.map(({ signature }) => signature).toSorted());
});

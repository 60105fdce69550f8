import type { CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { printTokens } from '@hunter/domain/numbers/base-units';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { solAndTokens } from '@hunter/domain/market/swap-maths';
import { priceOfTrade, printPriceSol } from '@hunter/domain/numbers/price';
import type { Order, OrderState } from './order.ts';

export type OrderView = CallReply<'getOrder'>;

const statusOf = {
  held: 'pending',
  sent: 'sent',
  confirmed: 'confirmed',
  finalized: 'finalized',
  failed: 'failed',
  dead: 'dead',
} as const satisfies Record<OrderState, OrderView['status']>;

/** An order as the API shows it. */
export function orderView(order: Order, tokenDecimals: number | null): OrderView {
  const buy = order.side === 'buy';
  const inDecimals = buy ? SOL_DECIMALS : tokenDecimals;
  const outDecimals = buy ? tokenDecimals : SOL_DECIMALS;
  const { filledIn, filledOut, feeLamports } = order;
  const [sol, tokens] =
    filledIn === null || filledOut === null ? [null, null] : solAndTokens(order.side, filledIn, filledOut);
  return {
    id: order.id,
    status: statusOf[order.state],
    txHash: order.signature,
    tokenContractAddress: order.mint,
    side: order.side,
    bookId: order.bookId,
    bookKind: order.bookKind,
    amountIn: printTokens(filledIn ?? order.amountIn, inDecimals),
    amountOut: filledOut === null ? null : printTokens(filledOut, outDecimals),
    price:
      sol === null || !tokens || tokenDecimals === null
        ? null
        : printPriceSol(priceOfTrade(sol, tokens, tokenDecimals)),
    fee: feeLamports === null ? null : printDecimal(feeLamports + (order.venueFeeLamports ?? 0n), SOL_DECIMALS),
    error: order.error,
    createdAt: order.createdAt.getTime(),
  };
}

// One click buys. An order that takes long is asked for until its end is known, wherever the user is by then, or until he has logged
// out: the next user is told nothing of it.
import type { CallReply } from '@hunter/contract/calls';
import { formatSol } from '@hunter/domain/format/format-sol';
import { formatTokens } from '@hunter/domain/format/format-tokens';
import { api } from '../../data/api.ts';
import { attempt, isUnknown, settle } from '../../data/attempts.ts';
import { orderFailure } from '../../data/order-failure.ts';
import { session } from '../../data/session.ts';
import { refreshCalls } from '../../data/use-api-query.ts';
import { i18n } from '../../i18n/i18n.ts';
import { copyText } from '../../ui/copy-text.ts';
import { shortAddress } from '../../ui/short-address.ts';
import { toast } from '../../ui/toast-store.ts';

type Order = CallReply<'getOrder'>;
const ASK_EVERY_MS = 1_500;
const ASK_TIMES_MAX = 80;

/** Resolves once the order's end is known or cannot be found out; what came of it is told by a toast. */
export async function placeQuickBuy(
  token: { address: string; symbol: string },
  amount: string,
  /** Null leaves it to the server, which knows the user's own. */
  slippageBps: number | null,
): Promise<void> {
  const slippage = slippageBps === null ? {} : { slippageBps };
  const request = { tokenContractAddress: token.address, side: 'buy', amount, ...slippage } as const;
  const owner = session.storedToken();
  const isOwners = () => session.storedToken() === owner;
  try {
    const order = await ended(await attempt('tokenTransfer', request), isOwners);
    if (!isOwners()) return;
    settle('tokenTransfer', request);
    tell(order, token.symbol);
  } catch (error) {
    // A refusal was told by the shared error handling. Of a lost answer only the key of the attempt is left: pressing again asks.
    if (isUnknown(error) && isOwners()) toast.info(i18n.t('discover.quickBuy.lost', { symbol: token.symbol }));
  } finally {
    await refreshCalls('myWallet');
  }
}

async function ended(order: Order, isAsked: () => boolean): Promise<Order> {
  let latest = order;
  for (let asked = 0; asked < ASK_TIMES_MAX && isUnderWay(latest) && isAsked(); asked += 1) {
    if (asked === 0) toast.info(i18n.t('discover.quickBuy.sent'));
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    if (isAsked()) latest = await api.call('getOrder', { id: order.id }, { quiet: true }).catch(() => latest);
  }
  return latest;
}

function isUnderWay({ status }: Order): boolean {
  return status === 'pending' || status === 'sent';
}

function tell(order: Order, symbol: string): void {
  const { txHash } = order;
  const hash =
    txHash === null ? undefined : { label: i18n.t('discover.quickBuy.copyHash'), run: () => void copyText(txHash) };
  const short = txHash === null ? '' : ` · ${shortAddress(txHash)}`;
  if (isUnderWay(order)) {
    toast.info(`${i18n.t('discover.quickBuy.open', { symbol })}${short}`, hash);
  } else if (order.status === 'failed' || order.status === 'dead') {
    toast.error(`${orderFailure(order.error, i18n.language())}${short}`, hash);
  } else {
    const params = { tokens: formatTokens(order.amountOut), sol: formatSol(order.amountIn), symbol };
    toast.success(`${i18n.t('discover.quickBuy.bought', params)}${short}`, hash);
  }
}

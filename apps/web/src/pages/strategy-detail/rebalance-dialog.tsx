import type { CallReply } from '@hunter/contract/calls';
import { useState } from 'react';
import { attempt, isUnknown } from '../../data/attempts.ts';
import { refreshFollows } from '../../features/follow/refresh-follows.ts';
import { targetCoins, weightsProblem } from '../../features/strategy-create/weights.ts';
import type { Coin } from '../../features/strategy-create/weights.ts';
import { WeightsEditor } from '../../features/strategy-create/weights-editor.tsx';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast-store.ts';
import { Warning } from '../../ui/warning.tsx';
import type { StrategyDetail } from './strategy-detail.ts';

/**
 * Present weights drift below and above what was set; with the SOL they add up to 100. Null while one of them is unknown: a coin that were
 * left out, or stood there with nothing, would be sold.
 */
function presentCoins({ positions }: StrategyDetail): readonly Coin[] | null {
  const coins: Coin[] = [];
  for (const { tokenContractAddress, tokenSymbol, tokenLogoUrl, weight } of positions) {
    if (weight === null) return null;
    coins.push({ tokenContractAddress, tokenSymbol, tokenLogoUrl, weight });
  }
  return coins;
}

function unreadSymbols({ positions }: StrategyDetail): string {
  return positions.flatMap(({ weight, tokenSymbol }) => (weight === null ? [tokenSymbol] : [])).join(', ');
}

export default function RebalanceDialog({ strategy, onClose }: { strategy: StrategyDetail; onClose: () => void }) {
  const t = useT();
  const present = presentCoins(strategy);
  const [opened, setOpened] = useState(present);
  const [chosen, setChosen] = useState<readonly Coin[] | null>(null);
  if (opened === null && present !== null) setOpened(present);
  const before = opened ?? [];
  const coins = chosen ?? before;
  const [pending, setPending] = useState(false);
  const [unknown, setUnknown] = useState(false);
  const changed = JSON.stringify(targetCoins(coins)) !== JSON.stringify(targetCoins(before));

  async function submit(): Promise<void> {
    if (!changed || present === null || weightsProblem(coins) || pending) return;
    setPending(true);
    setUnknown(false);
    try {
      tell(await attempt('rebalance', { slug: strategy.slug, coins: targetCoins(coins) }));
      void refreshFollows(strategy.slug);
      onClose();
    } catch (error) {
      setPending(false);
      setUnknown(isUnknown(error));
    }
  }

  function tell({ lists, refused, remaining }: CallReply<'rebalance'>): void {
    const filled = lists.filter((order) => order.status !== 'failed' && order.status !== 'dead').length;
    const planned = lists.length + refused + remaining;
    if (remaining > 0) toast.info(t('strategy.rebalance.goesOn', { done: lists.length + refused, planned }));
    else if (planned === 0) toast.success(t('strategy.rebalance.nothing'));
    else if (filled === 0) toast.error(t('strategy.rebalance.failed'));
    else if (filled < planned) toast.error(t('strategy.rebalance.partly', { filled, planned }));
    else toast.success(t('strategy.rebalance.done', { count: filled }));
  }

  return (
    <Dialog
      open
      onClose={onClose}
      locked={pending}
      width={520}
      title={<bdi>{t('strategy.rebalance.title', { name: strategy.name })}</bdi>}
      description={t('strategy.rebalance.text')}
      footer={
        <Button
          pending={pending}
          disabled={!changed || present === null || weightsProblem(coins) !== null}
          title={changed ? undefined : t('strategy.rebalance.unchanged')}
          onClick={() => void submit()}
        >
          {t('strategy.rebalance.submit')}
        </Button>
      }
    >
      {opened !== null && <WeightsEditor coins={coins} onCoins={setChosen} disabled={pending} />}
      {present === null && <Warning text={t('strategy.rebalance.unread', { symbols: unreadSymbols(strategy) })} />}
      {unknown && <Warning text={t('ui.noAnswer')} />}
    </Dialog>
  );
}

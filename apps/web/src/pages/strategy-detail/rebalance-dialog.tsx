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

/** Present weights drift below and above what was set; with the SOL they add up to 100. */
function presentCoins(strategy: StrategyDetail): Coin[] {
  return strategy.positions.map((coin) => ({
    tokenContractAddress: coin.tokenContractAddress,
    tokenSymbol: coin.tokenSymbol,
    tokenLogoUrl: coin.tokenLogoUrl,
    weight: coin.weight,
  }));
}

export default function RebalanceDialog({ strategy, onClose }: { strategy: StrategyDetail; onClose: () => void }) {
  const t = useT();
  const [before] = useState(() => presentCoins(strategy));
  const [coins, setCoins] = useState<readonly Coin[]>(before);
  const [pending, setPending] = useState(false);
  const [unknown, setUnknown] = useState(false);
  const changed = JSON.stringify(targetCoins(coins)) !== JSON.stringify(targetCoins(before));

  async function submit(): Promise<void> {
    if (!changed || weightsProblem(coins) || pending) return;
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
          disabled={!changed || weightsProblem(coins) !== null}
          title={changed ? undefined : t('strategy.rebalance.unchanged')}
          onClick={() => void submit()}
        >
          {t('strategy.rebalance.submit')}
        </Button>
      }
    >
      <WeightsEditor coins={coins} onCoins={setCoins} disabled={pending} />
      {unknown && <Warning text={t('ui.noAnswer')} />}
    </Dialog>
  );
}

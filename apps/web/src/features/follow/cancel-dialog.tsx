import type { CallReply } from '@hunter/contract/calls';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { attempt, settleAll } from '../../data/attempts.ts';
import { useMyStream } from '../../data/stream.ts';
import { useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Sol, Tokens, Usd } from '../../ui/numbers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { toast } from '../../ui/toast-store.ts';
import { ProgressBar } from './progress-bar.tsx';
import { refreshFollows } from './refresh-follows.ts';

const POLL_MS = 2_000;
type Progress = { done: number; total: number };

/** Asks, shows what selling would return, and then how far the selling has come. */
export default function CancelDialog({ slug, name, onClose }: { slug: string; name: string; onClose: () => void }) {
  const t = useT();
  const [inKind, setInKind] = useState(false);
  const { progress, preview, confirm } = useCanceling(slug, inKind, onClose);
  const selling = progress !== null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={<bdi>{t('strategy.cancel.title', { name })}</bdi>}
      description={t(inKind ? 'strategy.cancel.inKindText' : 'strategy.cancel.text')}
      footer={
        !selling && (
          <>
            <Button tone="ghost" onClick={onClose}>
              {t('strategy.cancel.keep')}
            </Button>
            {/* Where the estimate fails, leaving is still possible. */}
            <Button tone="sell" disabled={preview.isPending} onClick={() => void confirm()}>
              {t(inKind ? 'strategy.cancel.inKindSubmit' : 'strategy.cancel.submit')}
            </Button>
          </>
        )
      }
    >
      {selling ? (
        <Selling progress={progress} inKind={inKind} />
      ) : (
        <div className="flex flex-col">
          <h3 className="mb-1.5">{t(inKind ? 'strategy.cancel.inKindCoins' : 'strategy.cancel.coins')}</h3>
          {preview.isPending && (
            <div className="flex flex-col gap-3 py-2">
              <Skeleton />
              <Skeleton />
              <Skeleton />
            </div>
          )}
          {preview.isError && !preview.data && (
            <p className="py-2 text-sm text-warn">{t('strategy.cancel.previewFailed')}</p>
          )}
          {preview.data && <Returned preview={preview.data} inKind={inKind} />}
          {preview.data && preview.data.coins.length > 0 && (
            <div className="mt-3 border-t border-line pt-3">
              <Checkbox label={t('strategy.cancel.inKind')} checked={inKind} onChecked={setInKind} />
            </div>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Selling({ progress, inKind }: { progress: Progress; inKind: boolean }) {
  const t = useT();
  const what = t(inKind ? 'strategy.cancel.sending' : 'strategy.cancel.selling');
  return (
    <div className="flex flex-col gap-3 py-3" aria-live="polite">
      <div className="flex items-baseline justify-between">
        <span className="font-semibold">{what}</span>
        {!inKind && (
          <span className="num text-muted" data-testid="cancel-progress">
            {t('strategy.cancel.progress', progress)}
          </span>
        )}
      </div>
      <ProgressBar {...progress} label={what} />
      <p className="text-sm text-faint">{t('strategy.cancel.background')}</p>
    </div>
  );
}

/** What selling now would return, coin by coin and in total; in kind the coins themselves. */
function Returned({ preview, inKind }: { preview: CallReply<'previewCancel'>; inKind: boolean }) {
  const t = useT();
  return (
    <>
      <div
        className="max-h-60 overflow-y-auto scroll-thin"
        tabIndex={0}
        role="group"
        aria-label={t('strategy.cancel.coins')}
      >
        {preview.coins.map((coin) => (
          <KeyValue
            key={coin.tokenContractAddress}
            label={
              <>
                <Link
                  to="/token/$tokenAddress"
                  params={{ tokenAddress: coin.tokenContractAddress }}
                  className="font-semibold text-text hover:underline"
                >
                  <bdi>{coin.tokenSymbol}</bdi>
                </Link>{' '}
                {!inKind && <Tokens value={coin.amount} className="text-faint" />}
              </>
            }
          >
            {inKind ? (
              <Tokens value={coin.amount} />
            ) : (
              <span title={t('strategy.cancel.impact', { impact: coin.priceImpact })}>
                <Sol value={coin.expectedSol} />
              </span>
            )}
          </KeyValue>
        ))}
        <KeyValue label={t('strategy.cancel.freeSol')}>
          <Sol value={preview.freeSol} />
        </KeyValue>
      </div>
      {!inKind && (
        <KeyValue
          label={<b className="text-text">{t('strategy.cancel.total')}</b>}
          className="mt-2 border-t border-line pt-3!"
        >
          <b className="text-md" data-testid="cancel-total">
            <Sol value={preview.total} />
          </b>{' '}
          <Usd value={preview.totalUsd} className="text-faint" />
        </KeyValue>
      )}
    </>
  );
}

/** Cancels, and follows the selling until it is over; `progress` is null before that. */
function useCanceling(slug: string, inKind: boolean, onClose: () => void) {
  const t = useT();
  const [progress, setProgress] = useState<Progress | null>(null);
  const selling = progress !== null;
  const [asked, setAsked] = useState(false);
  const over = useRef(false);
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const preview = useApiQuery(
    'previewCancel',
    { slug },
    { enabled: !selling, refetchIntervalMs: 5_000, staleTimeMs: 0 },
  );
  const detail = useApiQuery(
    'getStrategyDetail',
    { slug },
    asked ? { refetchIntervalMs: POLL_MS } : { enabled: false },
  );

  function finish(): void {
    if (over.current) return;
    over.current = true;
    toast.success(t('strategy.cancel.success'));
    void refreshFollows(slug);
    // Closed meanwhile, it may have made room for the dialog of another follow.
    if (isOpen.current) onClose();
  }

  useMyStream('follows', (change) => {
    if (change.slug !== slug || !selling) return;
    setProgress(change.progress);
    if (change.status === 'closed') finish();
  });
  // Where the stream is interrupted or the answer was lost, the page's own data says when it is over.
  const closed = asked && detail.isSuccess && detail.isFetchedAfterMount && detail.data.myFollow === null;
  useEffect(() => {
    if (closed) finish();
    // oxlint-disable-next-line react/exhaustive-deps -- finishing happens once, whatever else renders.
  }, [closed]);

  async function confirm(): Promise<void> {
    setAsked(true);
    setProgress({ done: 0, total: preview.data?.coins.length ?? 0 });
    try {
      await attempt('cancelFollow', inKind ? { slug, inKind } : { slug });
      // Whoever follows again means a new follow, and does not ask about one whose answer was lost.
      settleAll('followStrategy', { slug });
      // From here on nothing is copied any more; what is still to be sold or returned is shown with the follow.
      finish();
    } catch {
      // The reason is already shown, and it can be tried again.
      setProgress(null);
      void refreshFollows(slug);
    }
  }

  return { progress, preview, confirm };
}

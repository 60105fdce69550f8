import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RefObject } from 'react';
import { api } from '../../data/api.ts';
import { queryClient } from '../../data/query-client.ts';
import { useI18n } from '../../i18n/i18n.ts';
import { joinSentences } from '../../i18n/join-sentences.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CopyIcon, DownloadIcon } from '../../ui/page-icons.tsx';
import { exactTime } from '../../ui/relative-time.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useTheme } from '../../ui/theme.ts';
import { positionCard, strategyCard } from './card.ts';
import type { Card, SharedPosition, SharedStrategy } from './card.ts';
import { CARD_HEIGHT, CARD_WIDTH } from './draw-card.ts';
import { proofCode, proofLink, tradesOfPosition } from './proof-link.ts';
import { useCardPicture } from './use-card-picture.ts';

const AGAIN_MS = 2_000;

export type Shared = { position: SharedPosition } | { strategy: SharedStrategy };

/** A picture of a position or strategy, made in the browser. Nothing of it is sent anywhere. */
export default function ShareDialog({ shared, onClose }: { shared: Shared; onClose: () => void }) {
  const { t, language } = useI18n();
  const [showAmounts, setShowAmounts] = useState(false);
  const [theme, setTheme] = useState(useTheme());
  const [timeMs] = useState(() => Date.now());
  const position = 'position' in shared ? shared.position : null;
  const proof = useProof(position);
  const choices = { t, showAmounts };
  const card =
    'position' in shared
      ? positionCard(shared.position, typeof proof.data === 'object' ? proof.data : null, choices)
      : strategyCard(shared.strategy, location.origin, choices);
  const words = { product: t('shell.product'), verify: t('share.verify'), time: exactTime(timeMs, language) };
  const { canvas, wearer, copy, download } = useCardPicture(card, words, theme);

  return (
    <Dialog
      open
      onClose={onClose}
      width={640}
      title={t('share.title')}
      description={position === null ? t('share.text') : joinSentences([t('share.text'), t('share.personal')])}
      footer={
        <>
          {card.link !== null && (
            <Button tone="ghost" onClick={() => void copyText(card.link!, t('share.linkCopied'))}>
              {t('share.copyLink')}
            </Button>
          )}
          <Button tone="ghost" icon={<CopyIcon size={15} />} onClick={() => void copy()}>
            {t('share.copy')}
          </Button>
          <Button icon={<DownloadIcon size={15} />} onClick={() => void download()}>
            {t('share.download')}
          </Button>
        </>
      }
    >
      <div ref={wearer} data-theme={theme}>
        <Picture canvas={canvas} card={card} />
      </div>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <Checkbox checked={showAmounts} onChecked={setShowAmounts} label={t('share.showAmounts')} />
        <SegmentedControl
          label={t('share.theme')}
          value={theme}
          onChange={setTheme}
          options={[
            { key: 'dark', label: t('share.dark') },
            { key: 'light', label: t('share.light') },
          ]}
        />
      </div>
      {position !== null && (
        <p className="mt-2 min-h-[1.45em] text-sm text-muted">
          {proof.isSuccess && t(typeof proof.data === 'object' ? 'share.proofText' : 'share.noProof')}
        </p>
      )}
    </Dialog>
  );
}

function Picture({ canvas, card }: { canvas: RefObject<HTMLCanvasElement | null>; card: Card }) {
  return (
    <canvas
      ref={canvas}
      width={CARD_WIDTH}
      height={CARD_HEIGHT}
      role="img"
      aria-label={[
        card.title,
        card.headline.label,
        card.headline.value,
        ...card.lines.map(({ label, value }) => `${label} ${value}`),
      ].join(', ')}
      className="h-auto w-full rounded-xl border border-line"
      data-testid="share-card"
    />
  );
}

type Proof = { link: string; code: string | null } | 'no trades' | 'too many trades';

function useProof(position: SharedPosition | null) {
  return useQuery(
    {
      queryKey: ['shareProof', position?.tokenContractAddress],
      queryFn: () => loadProof(position!),
      enabled: position !== null,
      // A trade of a moment ago may not be indexed yet.
      refetchInterval: ({ state }) => state.data === 'no trades' && AGAIN_MS,
    },
    queryClient,
  );
}

async function loadProof(position: SharedPosition): Promise<Proof> {
  const { tokenContractAddress: mint } = position;
  const { lists } = await api.call('getTokenTransactionData', { tokenContractAddress: mint, type: 'mine', limit: 200 });
  const signatures = tradesOfPosition(lists, position);
  if (signatures.length === 0) return 'no trades';
  const link = proofLink(location.origin, mint, signatures);
  return link === null ? 'too many trades' : { link, code: await proofCode(mint, signatures) };
}

import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useStream } from '../../data/stream.ts';
import { useT } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import { noticeText } from './notice-text.ts';
import { useQuietNotices } from './quiet-notices.ts';

/** A lively market raises many; one message in this time is enough to look up. The tab lists them all. */
const PAUSE_MS = 10_000;

/** Shows new golden dog alerts as messages, wherever the user is, unless they were set quiet. Renders nothing. */
export default function NoticeToasts() {
  const t = useT();
  const navigate = useNavigate();
  const { quiet } = useQuietNotices();
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useStream('notices', quiet ? null : 'all', (notice) => {
    const now = performance.now();
    if (now - shownAt.current < PAUSE_MS) return;
    shownAt.current = now;
    toast.info(t('notices.toast', { symbol: notice.tokenSymbol, text: noticeText(notice, t) }), {
      label: t('notices.open'),
      run: () =>
        void navigate({
          to: '/token/$tokenAddress',
          params: { tokenAddress: notice.tokenContractAddress },
          search: {},
        }),
    });
  });
  return null;
}

import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useStream } from '../../data/stream.ts';
import { useMySetting } from '../../data/use-my-setting.ts';
import { useT } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import { noticeText } from './notice-text.ts';

/** A lively market raises many; one message in this time is enough to look up. The tab lists them all. */
const PAUSE_MS = 10_000;

/** Shows new golden dog alerts as messages, wherever the user is, unless they were set quiet. Renders nothing. */
export default function NoticeToasts() {
  const t = useT();
  const navigate = useNavigate();
  const { value: quiet } = useMySetting('quietNotices');
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useStream('notices', quiet === false ? 'all' : null, (notice) => {
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

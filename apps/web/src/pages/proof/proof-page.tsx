import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { api } from '../../data/api.ts';
import { queryClient } from '../../data/query-client.ts';
import { proofCode, readProofLink } from '../../features/share/proof-link.ts';
import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryError } from '../../ui/error-state.tsx';
import { ExactAmount } from '../../ui/exact-amount.tsx';
import { ExplorerLink } from '../../ui/explorer-link.tsx';
import { Percent } from '../../ui/numbers.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time-text.tsx';
import { shortAddress } from '../../ui/short-address.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KeyValue } from '../../ui/stat.tsx';
import { recompute } from './recompute.ts';
import type { Recomputed } from './recompute.ts';

/** The trades behind a share card, read from the chain and reckoned anew. */
export default function ProofPage() {
  const t = useT();
  const hash = useLocation({ select: (location) => location.hash });
  const link = readProofLink(hash);
  const query = useQuery(
    {
      queryKey: ['proof', hash],
      enabled: link !== null,
      queryFn: async () => {
        const { mint, signatures } = link!;
        const read = (signature: string) => api.call('getChainTransaction', { signature }, { quiet: true });
        const transactions = await Promise.all(signatures.map(read));
        return { result: recompute(transactions, mint), code: await proofCode(mint, signatures) };
      },
    },
    queryClient,
  );
  return (
    <Page title={t('shell.titles.proof')} text={t('share.page.text')}>
      {link === null ? (
        <div className="card">
          <EmptyState height={240} text={t('share.page.badLink')} />
        </div>
      ) : query.isError ? (
        <QueryError query={query} height={240} title={t('share.page.failed')} />
      ) : !query.data ? (
        <Skeleton height={320} />
      ) : typeof query.data.result === 'string' ? (
        <div className="card">
          <EmptyState height={240} text={t(`share.page.problems.${query.data.result}`)} />
        </div>
      ) : (
        <Result mint={link.mint} code={query.data.code} result={query.data.result} />
      )}
    </Page>
  );
}

function Result({ mint, code, result }: { mint: string; code: string | null; result: Recomputed }) {
  const t = useT();
  return (
    <div className="grid items-start gap-3.5 lg:grid-cols-[340px_minmax(0,1fr)]" data-testid="proof-result">
      <section className="card px-4 py-3.5">
        <KeyValue label={t('share.page.code')}>
          <span className="text-lg font-bold" data-testid="proof-code">
            {code ?? '-'}
          </span>
        </KeyValue>
        <KeyValue label={t('share.page.token')}>
          <Address address={mint} />
        </KeyValue>
        <KeyValue label={t('share.page.wallet')}>
          <Address address={result.wallet} />
        </KeyValue>
        <KeyValue label={t('share.entryPrice')}>
          <ExactAmount value={result.entryPrice ?? '-'} unit="SOL" />
        </KeyValue>
        <KeyValue label={t('share.page.paid')}>
          <ExactAmount value={result.paid} unit="SOL" />
        </KeyValue>
        <KeyValue label={t('share.page.received')}>
          <ExactAmount value={result.received} unit="SOL" />
        </KeyValue>
        <KeyValue label={t('share.page.left')}>
          <ExactAmount value={result.left} />
        </KeyValue>
        {result.realized !== null && (
          <KeyValue label={t('share.page.realized')}>
            <ExactAmount value={result.realized} unit="SOL" tone /> · <Percent value={result.realizedPercent} />
          </KeyValue>
        )}
        <p className="mt-2 text-sm text-muted">{t('share.page.fees')}</p>
      </section>
      <section className="card overflow-hidden">
        <h2 className="px-4 py-3">{t('share.page.trades')}</h2>
        <ul aria-label={t('share.page.trades')}>
          {result.trades.map(({ signature, side, time, tokens, sol }) => (
            <li
              key={signature}
              className="flex flex-wrap justify-between gap-x-4 gap-y-1 border-t border-line/55 px-4 py-2.5"
            >
              <span>
                <span className={side === 'buy' ? 'font-semibold text-up' : 'font-semibold text-down'}>
                  {t(`share.page.${side}`)}
                </span>{' '}
                <ExactAmount value={tokens} /> · <ExactAmount value={sol} unit="SOL" />
              </span>
              <span className="text-sm text-muted">
                {time !== null && <RelativeTime timeMs={time} />}{' '}
                <ExplorerLink kind="tx" id={signature}>
                  {shortAddress(signature)}
                </ExplorerLink>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

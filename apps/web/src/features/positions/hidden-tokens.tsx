import { api } from '../../data/api.ts';
import { refreshCalls, useApiQuery } from '../../data/use-api-query.ts';
import { useT } from '../../i18n/i18n.ts';
import { Address } from '../../ui/address.tsx';
import { Button } from '../../ui/button.tsx';
import { Tokens } from '../../ui/numbers.tsx';
import { TokenLink } from '../../ui/token-link.tsx';
import { QueryError } from '../../ui/error-state.tsx';

export async function setHidden(tokenContractAddress: string, hidden: boolean): Promise<void> {
  try {
    await api.call('hideToken', { tokenContractAddress, hidden });
  } catch {
    // The reason is shown as a toast.
    return;
  }
  await refreshCalls('getMyPositions');
}

/** What the user does not want to see, and what strangers handed over: neither is in the table of positions. */
export default function HiddenTokens() {
  const t = useT();
  const hidden = useApiQuery('getMyPositions', { pageNo: 1, pageSize: 100, hidden: 'only' }, { quiet: true });
  const foreign = useApiQuery('getMyForeignAccounts', {}, { quiet: true });
  const failed = [hidden, foreign].find(({ isError, data }) => isError && !data);
  if (failed) return <QueryError query={failed} height={100} />;
  return (
    <div className="flex flex-col gap-3 px-4 py-3 text-sm" data-testid="hidden-tokens">
      <p className="text-muted">
        {t(hidden.data?.lists.length === 0 ? 'account.positions.noHidden' : 'account.positions.hiddenText')}
      </p>
      {hidden.data?.lists.map((row) => (
        <div key={`${row.bookId}:${row.tokenContractAddress}`} className="flex items-center justify-between gap-3">
          <TokenLink token={row} />
          <Tokens value={row.amount} />
          <Button
            tone="ghost"
            size="s"
            aria-label={t('account.positions.showLabel', { symbol: row.tokenSymbol })}
            onClick={() => void setHidden(row.tokenContractAddress, false)}
          >
            {t('account.positions.show')}
          </Button>
        </div>
      ))}
      {(foreign.data?.lists.length ?? 0) > 0 && <h3 className="text-muted">{t('account.positions.foreign')}</h3>}
      {foreign.data?.lists.map((row) => (
        <div key={row.address} className="flex items-center justify-between gap-3">
          <TokenLink token={row} />
          <Address address={row.address} />
          <Tokens value={row.amount} />
        </div>
      ))}
    </div>
  );
}

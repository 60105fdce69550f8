import { useT } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CloseIcon } from '../../ui/icons.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { TokenAvatar } from '../../ui/token-avatar.tsx';
import { CoinSearch } from './coin-search.tsx';
import { addCoin, COINS_MAX, equalize, hundredths, restPercent, weightsProblem } from './weights.ts';
import type { Coin } from './weights.ts';

// Shades of one colour: the parts of a whole are neither gains nor losses.
const shades = ['bg-accent', 'bg-accent/75', 'bg-accent/55', 'bg-accent/40'];

/** Coins and their shares. What the coins leave stays SOL. */
export function WeightsEditor({
  coins,
  onCoins,
  disabled = false,
}: {
  coins: readonly Coin[];
  onCoins: (coins: readonly Coin[]) => void;
  disabled?: boolean;
}) {
  const t = useT();
  const problem = weightsProblem(coins);
  const rest = restPercent(coins);
  return (
    <div className="flex flex-col gap-3">
      <CoinSearch
        exclude={coins.map((coin) => coin.tokenContractAddress)}
        disabled={disabled || coins.length >= COINS_MAX}
        onAdd={(token) => onCoins(addCoin(coins, token))}
      />
      {coins.length === 0 ? (
        <p className="rounded-m border border-dashed border-line-strong px-4 py-6 text-center text-sm text-muted">
          {t('create.coins.empty')}
        </p>
      ) : (
        <>
          <ul className="flex flex-col gap-1.5">
            {coins.map((coin) => (
              <WeightRow
                key={coin.tokenContractAddress}
                coin={coin}
                wrong={!((hundredths(coin.weight) ?? 0) > 0) || problem?.kind === 'over'}
                disabled={disabled}
                onWeight={(weight) => onCoins(coins.map((each) => (each === coin ? { ...each, weight } : each)))}
                onRemove={() => onCoins(coins.filter((each) => each !== coin))}
              />
            ))}
          </ul>
          <WeightBar coins={coins} />
          <div className="flex min-h-[30px] items-center justify-between gap-3">
            <p
              className={classNames('num text-sm', problem ? 'text-warn' : 'text-muted')}
              role={problem ? 'alert' : 'status'}
              data-testid="weights-state"
            >
              {problem?.kind === 'over'
                ? t('create.coins.over', { percent: problem.percent })
                : problem
                  ? t('create.coins.positive')
                  : coins.length >= COINS_MAX
                    ? t('create.coins.max')
                    : rest === '0'
                      ? t('create.coins.full')
                      : t('create.coins.rest', { percent: rest })}
            </p>
            <Button tone="ghost" size="s" disabled={disabled} onClick={() => onCoins(equalize(coins))}>
              {t('create.coins.equalize')}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function WeightRow({
  coin,
  wrong,
  disabled,
  onWeight,
  onRemove,
}: {
  coin: Coin;
  wrong: boolean;
  disabled: boolean;
  onWeight: (weight: string) => void;
  onRemove: () => void;
}) {
  const t = useT();
  return (
    <li className="flex items-center gap-2.5" data-testid="weight-row">
      <TokenAvatar src={coin.tokenLogoUrl} size={28} />
      <bdi className="min-w-0 flex-1 truncate font-semibold">{coin.tokenSymbol}</bdi>
      <NumberInput
        size="m"
        className="w-28!"
        inputClassName="num text-right"
        aria-label={t('create.coins.weight', { symbol: coin.tokenSymbol })}
        aria-invalid={wrong ? true : undefined}
        value={coin.weight}
        decimals={2}
        disabled={disabled}
        onValue={onWeight}
        after={<span className="text-muted">%</span>}
      />
      <IconButton label={t('create.coins.remove', { symbol: coin.tokenSymbol })} disabled={disabled} onClick={onRemove}>
        <CloseIcon size={15} />
      </IconButton>
    </li>
  );
}

function WeightBar({ coins }: { coins: readonly Coin[] }) {
  const t = useT();
  return (
    <div className="flex h-2 gap-px overflow-hidden rounded-full bg-hover" aria-hidden="true">
      {coins.map((coin, index) => (
        <span
          key={coin.tokenContractAddress}
          title={t('create.coins.share', { symbol: coin.tokenSymbol, percent: coin.weight })}
          className={classNames('h-full', shades[index % shades.length])}
          style={{ width: `${Math.min(100, (hundredths(coin.weight) ?? 0) / 100)}%` }}
        />
      ))}
    </div>
  );
}

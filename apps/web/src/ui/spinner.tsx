import { useEffect, useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { nextProgress, PROGRESS_TICK_MS } from './simulated-progress.ts';

const SPINNER_DELAY_MS = 200;
const SPINNER_HEIGHT_PX = 400;

const RADIUS = 20;
const LENGTH = 2 * Math.PI * RADIUS;

/** Takes its room at once but shows itself after a delay only: what loads quickly does not flicker. */
export function Spinner({ height = SPINNER_HEIGHT_PX }: { height?: number | string }) {
  const t = useT();
  const [shown, setShown] = useState(false);
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SPINNER_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const timer = setInterval(() => setPercent(nextProgress), PROGRESS_TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const whole = Math.round(percent);
  return (
    <div className="grid w-full place-items-center" style={{ minHeight: height }} data-testid="spinner">
      {shown && (
        <div
          role="progressbar"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={whole}
          aria-label={t('ui.progress', { percent: whole })}
          className="relative grid place-items-center text-accent"
        >
          <svg width="56" height="56" viewBox="0 0 48 48" fill="none" className="-rotate-90" aria-hidden="true">
            <circle cx="24" cy="24" r={RADIUS} stroke="var(--line)" strokeWidth="3" />
            <circle
              cx="24"
              cy="24"
              r={RADIUS}
              stroke="currentColor"
              strokeWidth="3"
              strokeLinecap="round"
              strokeDasharray={LENGTH}
              strokeDashoffset={LENGTH * (1 - percent / 100)}
              className="transition-[stroke-dashoffset] duration-200"
            />
          </svg>
          <span className="absolute text-2xs text-muted">{whole}%</span>
        </div>
      )}
    </div>
  );
}

/** While a page's code loads: large, in the middle of the content area. */
export function PageSpinner() {
  return <Spinner height="calc(100dvh - var(--header-height) - 3rem)" />;
}

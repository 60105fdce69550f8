import { useT } from '../../i18n/i18n.ts';
import type { Strategy } from './strategy.ts';

/** "3 follows, early": a median without its number says nothing. */
export function FollowerSample({
  strategy: { followerSample, followerReturnEarly },
}: {
  strategy: Pick<Strategy, 'followerSample' | 'followerReturnEarly'>;
}) {
  const t = useT();
  return (
    <span className="text-sm font-normal text-faint">
      {t(followerReturnEarly ? 'strategies.card.sampleEarly' : 'strategies.card.sample', { count: followerSample })}
    </span>
  );
}

/** Why no return of followers stands there. */
export function NoFollowerReturn({ strategy: { status } }: { strategy: Pick<Strategy, 'status'> }) {
  const t = useT();
  return (
    <span className="font-normal text-faint">
      {t(status === 'ended' ? 'strategies.card.endedWithoutFollower' : 'strategies.card.noFollowerReturn')}
    </span>
  );
}

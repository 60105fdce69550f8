import { CHART_HEIGHT } from '../../ui/line-chart.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The page's blocks at their size, before the strategy is there. */
export function DetailSkeleton() {
  return (
    <div
      className="mx-auto w-full max-w-[1360px] px-3 py-4 sm:px-5 min-[1700px]:max-w-[1680px] min-[2200px]:max-w-[2200px]"
      aria-busy="true"
    >
      <Skeleton width={110} height={18} className="mb-3" />
      <div className="grid grid-cols-1 items-start gap-3.5 xl:grid-cols-[minmax(0,1fr)_340px]" aria-hidden="true">
        <div className="flex flex-col gap-3.5">
          <div className="card flex flex-col gap-6 p-5">
            <div className="flex items-center gap-3.5">
              <Skeleton width={44} height={44} className="rounded-full!" />
              <div className="flex flex-1 flex-col gap-2">
                <Skeleton width={220} height={22} />
                <Skeleton width={300} height={13} />
              </div>
            </div>
            <div className="grid gap-x-6 gap-y-4 [grid-template-columns:repeat(auto-fill,minmax(128px,1fr))]">
              {Array.from({ length: 10 }, (_, cell) => (
                <Skeleton key={cell} height={44} />
              ))}
            </div>
          </div>
          <div className="card p-5">
            <Skeleton width={90} height={20} className="mb-4" />
            <Skeleton height={CHART_HEIGHT} />
          </div>
          <div className="card flex flex-col gap-5 p-5">
            {Array.from({ length: 4 }, (_, row) => (
              <Skeleton key={row} height={20} />
            ))}
          </div>
        </div>
        <div className="flex flex-col gap-3.5">
          <div className="card p-4">
            <Skeleton height={150} />
          </div>
          <div className="card p-4">
            <Skeleton height={220} />
          </div>
        </div>
      </div>
    </div>
  );
}

import type { PublicSite } from '@vigie/contracts/status-pages';
import { type PointerEvent, useState } from 'react';
import { barHeight, barStep, drawDays } from './day-bars';
import styles from './status-pages.module.css';
import { dayWords, describeDays } from './words';

type Props = { site: PublicSite; generatedAt: string };
type AxisProps = Props & { pointed: number | undefined };

const Axis = ({ site, generatedAt, pointed }: AxisProps) => (
  <div className={styles['axis']} aria-hidden>
    {pointed === undefined ? (
      <>
        <span>{`${site.days.length}\u00a0jours`}</span>
        <span>aujourd’hui</span>
      </>
    ) : (
      <span>{dayWords(site, pointed, generatedAt)}</span>
    )}
  </div>
);

const Cursor = ({ index }: { index: number }) => (
  <rect x={index * barStep - 0.8} width={barStep} height={barHeight} fill="var(--text)" opacity={0.12} />
);

/** The days of a site as bars, and below them the one under the pointer. */
export function DayBars({ site, generatedAt }: Props) {
  const { days } = site;
  const [pointed, setPointed] = useState<number>();
  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * days.length);
    setPointed(Math.min(days.length - 1, Math.max(0, index)));
  };
  return (
    <div>
      <svg
        role="img"
        aria-label={describeDays(site, generatedAt)}
        className={styles['bars']}
        viewBox={`0 0 ${days.length * barStep} ${barHeight}`}
        preserveAspectRatio="none"
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => setPointed(undefined)}
      >
        {drawDays(days).map(({ name, fill, path }) => (
          <path key={name} d={path} fill={fill} />
        ))}
        {pointed !== undefined && <Cursor index={pointed} />}
      </svg>
      <Axis site={site} generatedAt={generatedAt} pointed={pointed} />
    </div>
  );
}

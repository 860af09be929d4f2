import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { Uptime, UptimePoint } from '@vigie/contracts/uptime';
import { type PointerEvent, useState } from 'react';
import { formatMs } from '../../ui/dates';
import { drawFailures, drawLine, failureHeight, margins, pointAt, scales, timeOf, timeTicks } from './draw';
import type { Period } from './periods';
import styles from './uptime.module.css';
import { describeTimes, pointWords } from './words';

type Props = { uptime: Uptime; period: Period };
type DrawingProps = Props & { width: number; hovered: UptimePoint | undefined };

export const chartHeight = 190;

function Axes({ uptime, period, width }: DrawingProps) {
  const { x, y, top } = scales(uptime, { width, height: chartHeight });
  return (
    <g className={styles['axis']}>
      {[0, top / 2, top].map((ms) => (
        <g key={ms}>
          <line x1={margins.left} x2={width - margins.right} y1={y(ms)} y2={y(ms)} />
          <text x={margins.left - 8} y={y(ms) + 4} textAnchor="end">
            {ms === 0 ? '0' : formatMs(ms)}
          </text>
        </g>
      ))}
      {timeTicks(uptime, width).map((at) => (
        <text key={at} x={x(at)} y={chartHeight - 4} textAnchor={x(at) > width - 36 ? 'end' : 'middle'}>
          {period.formatTick(at)}
        </text>
      ))}
    </g>
  );
}

function Drawing(props: DrawingProps) {
  const { uptime, width, hovered } = props;
  const size = { width, height: chartHeight };
  const { x, y } = scales(uptime, size);
  const base = y(0);
  return (
    <>
      <Axes {...props} />
      {hovered && (
        <line
          className={styles['cursor']}
          x1={x(timeOf(hovered, uptime))}
          x2={x(timeOf(hovered, uptime))}
          y1={margins.top}
          y2={base}
        />
      )}
      <path className={styles['p95']} d={drawLine(uptime, size, 'p95')} />
      <path className={styles['p50']} d={drawLine(uptime, size, 'p50')} />
      {drawFailures(uptime, size).map((block) => (
        <rect key={block.x} {...block} y={base + 1} height={failureHeight} className={styles['failure']} />
      ))}
    </>
  );
}

const Legend = () => (
  <ul className={styles['legend']} aria-hidden>
    <li data-of="p50">Médiane</li>
    <li data-of="p95">{'95\u202f% des réponses'}</li>
    <li data-of="failure">Échecs</li>
  </ul>
);

/** How long the site took to answer over time: the median, and what 95 % of the answers stayed under. */
export function ResponseChart({ uptime, period }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<UptimePoint>();
  const follow = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const left = clientX - currentTarget.getBoundingClientRect().left;
    setHovered(pointAt(uptime, { width, height: chartHeight }, left));
  };
  const sentence = describeTimes(uptime.points, period.label);
  return (
    <div>
      <div ref={ref} className={styles['chart']} style={{ height: chartHeight }}>
        {width > 0 && (
          <svg
            role="img"
            aria-label={sentence}
            width={width}
            height={chartHeight}
            viewBox={`0 0 ${width} ${chartHeight}`}
            onPointerMove={follow}
            onPointerLeave={() => setHovered(undefined)}
          >
            <Drawing uptime={uptime} period={period} width={width} hovered={hovered} />
          </svg>
        )}
      </div>
      {hovered ? (
        <Text variant="note" aria-hidden className={styles['under'] ?? ''}>
          {`${period.formatPoint(Date.parse(hovered.at))} · ${pointWords(hovered)}`}
        </Text>
      ) : (
        <Legend />
      )}
    </div>
  );
}

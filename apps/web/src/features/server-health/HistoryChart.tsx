import { Box, Group, Text } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import type { HealthItem } from '@vigie/contracts/server-health';
import { Suspense, useMemo, useState } from 'react';
import { useTheme } from '../../ui/theme';
import { describeValues, type Metric, plotHeight, toCurve } from './metrics';
import type { Period } from './periods';
import type { History } from './server-health.api';

/** The library of the curves is loaded with the first one. */
const Plot = lazyRouteComponent(() => import('./Plot'), 'Plot');

type Props = { metric: Metric; item: HealthItem | undefined; history: History | undefined; period: Period };

type CurveProps = Props & { history: History; onHover: (text?: string) => void };

function Curve({ metric, item, history, period, onHover }: CurveProps) {
  const { resolved: theme } = useTheme();
  const curve = useMemo(() => toCurve(metric, history, item), [metric, history, item]);
  const hover = (at: number | undefined) => {
    const [time, value] = at === undefined ? [] : [curve.times[at], curve.values[at]];
    onHover(time === undefined ? undefined : `${period.formatPoint(time)} · ${metric.format(value ?? null)}`);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the library puts its canvas inside
    <Box role="img" aria-label={describeValues(metric, curve.values, period.label)}>
      {/* A canvas keeps the colours of the theme that it was drawn in. */}
      <Plot key={theme} curve={curve} format={metric.format} formatTime={period.formatTick} onHover={hover} />
    </Box>
  );
}

/** One measure over time: its name, its last value or the one under the pointer, its threshold and its curve. */
export function HistoryChart(props: Props) {
  const { metric, item, history } = props;
  const [hovered, setHovered] = useState<string>();
  const threshold = metric.threshold(item);
  return (
    <Box p="12px var(--gutter)" miw={0}>
      <Group justify="space-between" wrap="nowrap" gap={12} mih={24}>
        <h3>{metric.label}</h3>
        <Text truncate fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {hovered === undefined ? item && metric.now(item) : <span aria-hidden>{hovered}</span>}
        </Text>
      </Group>
      <Text fz={12} lh="16px" mih={16} c="muted">
        {threshold !== undefined && `Alerte à partir de\u00a0${metric.format(threshold)}`}
      </Text>
      <Box h={plotHeight} mt={4}>
        {history && (
          <Suspense>
            <Curve {...props} history={history} onHover={setHovered} />
          </Suspense>
        )}
      </Box>
    </Box>
  );
}

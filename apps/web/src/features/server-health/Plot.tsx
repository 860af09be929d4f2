import { Box } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Curve, lonePoints, plotHeight } from './metrics';

type Props = {
  curve: Curve;
  formatTime: (time: number) => string;
  format: (value: number | null) => string;
  /** Called with the point under the pointer. */
  onHover: (at: number | undefined) => void;
};

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Drawn as a dashed line, where the axis reaches it. */
function drawThreshold(plot: UPlot, threshold: number | undefined): void {
  const { ctx, bbox, scales } = plot;
  if (threshold === undefined || threshold > (scales['y']?.max ?? 0)) return;
  const y = plot.valToPos(threshold, 'y', true);
  ctx.save();
  ctx.strokeStyle = token('--danger-dot');
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

const axisOf = (font: string): UPlot.Axis => ({
  font,
  stroke: token('--muted'),
  grid: { stroke: token('--border'), width: 1 },
  ticks: { show: false },
});

/** A little more than the highest value, or the least height of the axis. */
function yRange(top: number, max: number | null): [number, number] {
  return [0, Math.max(top, 1.05 * (max ?? 0))];
}

function optionsOf(read: () => Props, width: number, font: string): UPlot.Options {
  const accent = token('--accent');
  return {
    width,
    height: plotHeight,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: 'server-health' }, points: { size: 7 } },
    scales: {
      x: { range: () => [read().curve.from, read().curve.to] },
      y: { range: (_, __, max) => yRange(read().curve.top, max) },
    },
    axes: [
      { ...axisOf(font), space: 72, size: 28, values: (_, times) => times.map((time) => read().formatTime(time)) },
      { ...axisOf(font), size: 56, values: (_, values) => values.map((value) => read().format(value)) },
    ],
    series: [
      {},
      {
        stroke: accent,
        fill: `${accent}1f`,
        width: 1.5,
        points: { show: true, size: 4, fill: accent, filter: () => lonePoints(read().curve.values) },
      },
    ],
    hooks: {
      draw: [(plot) => drawThreshold(plot, read().curve.threshold)],
      setCursor: [({ cursor: { idx } }) => read().onHover(idx ?? undefined)],
    },
  };
}

function draw(element: HTMLElement, read: () => Props): UPlot {
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  return new UPlot(optionsOf(read, element.clientWidth, font), [[], []], element);
}

/** One curve on a canvas, in the colours of the moment; what it shows is said elsewhere. */
export function Plot(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const read = useEffectEvent(() => props);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const drawn = draw(element, () => read());
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: plotHeight }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
    };
  }, []);
  const { curve } = props;
  useEffect(() => plot.current?.setData([curve.times, curve.values]), [curve]);
  return <Box ref={box} h={plotHeight} />;
}

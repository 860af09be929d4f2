import { useEffect, useRef } from 'react';
import { useTheme } from '../../ui/theme';
import styles from './dashboard.module.css';
import { type Drawing, drawFleet } from './draw-fleet';
import type { CellTone } from './fleet';

/** Drawn again when the theme changes, because it takes its colours from the tokens. */
export function FleetCanvas({ drawing }: { drawing: Drawing }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { resolved } = useTheme();
  useEffect(() => {
    if (canvas.current) drawFleet(canvas.current, drawing, resolved);
  }, [drawing, resolved]);
  const { width, height } = drawing;
  return <canvas ref={canvas} aria-hidden className={styles['canvas']} style={{ width, height }} />;
}

const swatchSize = 14;
const swatchOf = (tone: CellTone): Drawing => ({
  width: swatchSize,
  height: swatchSize,
  cells: [{ x: 0, y: 0, width: swatchSize, height: swatchSize, tone, name: '' }],
});
const swatches: Readonly<Record<CellTone, Drawing>> = {
  danger: swatchOf('danger'),
  warn: swatchOf('warn'),
  info: swatchOf('info'),
  updates: swatchOf('updates'),
  ok: swatchOf('ok'),
  neutral: swatchOf('neutral'),
};

/** A cell of the legend. */
export const Swatch = ({ tone }: { tone: CellTone }) => <FleetCanvas drawing={swatches[tone]} />;

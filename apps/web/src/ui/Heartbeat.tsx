import { type BeatState, beatCount } from '@vigie/contracts/uptime';
import { formatNumber, plural } from './plural';

/** What a tick shows under the pointer is optional. */
type Beat = { state: BeatState; title?: string };

type Props = {
  /** The last checks, the oldest first. */
  beats: readonly Beat[];
  /** The pixels of a tick and of the gap after it. */
  step?: number;
  height?: number;
};

/** The last checks of a site as ticks, the newest at the right. */
export function Heartbeat({ beats, step = 6, height = 20 }: Props) {
  const sentence = describeBeats(beats.map(({ state }) => state));
  const width = beatCount * step;
  return (
    <svg
      role="img"
      aria-label={sentence}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      style={{ display: 'block', flex: 'none' }}
    >
      <title>{sentence}</title>
      {drawBeats(beats, step, height).map(({ title, ...tick }) => (
        <rect key={tick.x} {...tick} rx={1}>
          {title !== undefined && <title>{title}</title>}
        </rect>
      ))}
    </svg>
  );
}

/** A colour never says it alone: a failed check is half as high, and one that does not count a mark in the middle. */
const shapes: Readonly<Record<BeatState | 'none', { fill: string; top: number; height: number }>> = {
  up: { fill: 'var(--ok-dot)', top: 0, height: 1 },
  down: { fill: 'var(--danger-dot)', top: 0.5, height: 0.5 },
  excused: { fill: 'var(--info-dot)', top: 0.3, height: 0.4 },
  unsure: { fill: 'var(--neutral-dot)', top: 0.4, height: 0.2 },
  none: { fill: 'var(--neutral-tint)', top: 0, height: 1 },
};

const round = (value: number) => Math.round(value * 10) / 10;

/** A site that is new has fewer checks than ticks: those at the left stay empty. */
export function drawBeats(beats: readonly Beat[], step: number, height: number) {
  const shown = beats.slice(-beatCount);
  const missing = beatCount - shown.length;
  return Array.from({ length: beatCount }, (_, index) => {
    const beat = shown[index - missing];
    const shape = shapes[beat?.state ?? 'none'];
    return {
      x: index * step,
      width: Math.max(1, Math.ceil(step * 0.6)),
      y: round(shape.top * height),
      height: round(shape.height * height),
      fill: shape.fill,
      title: beat?.title,
    };
  });
}

const lastWords: Readonly<Record<BeatState, string>> = {
  up: 'le dernier a réussi',
  down: 'le dernier a échoué',
  excused: 'le dernier ne compte pas',
  unsure: 'le dernier ne compte pas',
};

/** "30 contrôles : 27 réussis, 2 échecs, 1 qui ne compte pas ; le dernier a réussi". */
export function describeBeats(beats: readonly BeatState[]): string {
  const last = beats.at(-1);
  if (last === undefined) return 'Aucun contrôle encore';
  const count = (...states: BeatState[]) => beats.filter((state) => states.includes(state)).length;
  const [ups, downs, others] = [count('up'), count('down'), count('excused', 'unsure')];
  const parts = [
    plural(ups, 'réussi', 'réussis'),
    downs > 0 && plural(downs, 'échec', 'échecs'),
    others > 0 && `${formatNumber(others)}\u00a0qui ne compte${others > 1 ? 'nt' : ''} pas`,
  ];
  return `${plural(beats.length, 'contrôle', 'contrôles')}\u00a0: ${parts.filter(Boolean).join(', ')}\u202f; ${lastWords[last]}`;
}

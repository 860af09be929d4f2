import {
  CircleCheck,
  CircleDashed,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  TriangleAlert,
} from 'lucide-react';
import styles from './Status.module.css';

export type Tone = 'ok' | 'warn' | 'danger' | 'info' | 'neutral' | 'licence';

const icons: Record<Tone, LucideIcon> = {
  ok: CircleCheck,
  warn: TriangleAlert,
  danger: OctagonX,
  info: LoaderCircle,
  neutral: CircleDashed,
  licence: KeyRound,
};

/** A state: always an icon and a word, never a colour alone. */
export function Status({ tone, children }: { tone: Tone; children: string }) {
  const Icon = icons[tone];
  return (
    <span className={styles['status']} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {children}
    </span>
  );
}

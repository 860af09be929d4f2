import type { ServerType } from '@vigie/contracts/servers';
import {
  CircleArrowUp,
  CircleCheck,
  CircleDashed,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  Pencil,
  TriangleAlert,
} from 'lucide-react';
import styles from './Status.module.css';

export type Tone = 'ok' | 'warn' | 'danger' | 'info' | 'neutral' | 'licence' | 'update' | 'edited';

const icons: Record<Tone, LucideIcon> = {
  ok: CircleCheck,
  warn: TriangleAlert,
  danger: OctagonX,
  info: LoaderCircle,
  neutral: CircleDashed,
  licence: KeyRound,
  update: CircleArrowUp,
  edited: Pencil,
};

const toneStyle = (tone: string) => ({ background: `var(--${tone}-tint)`, color: `var(--${tone})` });

type Props = { tone: Tone; icon?: LucideIcon; children: string };

/** A state always has an icon and a word, never a colour alone. */
export function Status({ tone, icon: Icon = icons[tone], children }: Props) {
  return (
    <span className={styles['status']} style={toneStyle(tone === 'edited' ? 'info' : tone)}>
      <Icon size={14} aria-hidden />
      <span>{children}</span>
    </span>
  );
}

const tones: Record<ServerType, string> = { prod: 'danger', dev: 'info', backup: 'neutral' };

/** Outlined, so that its colour is not taken for an alarm. */
export const TypeBadge = ({ type }: { type: ServerType }) => (
  <span
    className={styles['outlined']}
    style={{ color: `var(--${tones[type]})`, borderColor: `var(--${tones[type]}-dot)` }}
  >
    {type}
  </span>
);

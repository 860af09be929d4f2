import { CircleCheck, Info, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Callout.module.css';

type Tone = 'danger' | 'warn' | 'info' | 'ok';

const icons: Record<Tone, LucideIcon> = { danger: OctagonX, warn: TriangleAlert, info: Info, ok: CircleCheck };

type Props = { tone: Tone; icon?: LucideIcon; children: ReactNode };

/** A message at the place it concerns. */
export function Callout({ tone, icon: Icon = icons[tone], children }: Props) {
  return (
    <div className={styles['callout']} data-tone={tone}>
      <Icon size={16} aria-hidden />
      <div className={styles['text']}>{children}</div>
    </div>
  );
}

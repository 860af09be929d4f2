import type { ServerType } from '@vigie/contracts/servers';
import styles from './Status.module.css';

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

import type { ServerType } from '@vigie/contracts/servers';
import styles from './TypeBadge.module.css';

/** Outlined, so that it never reads as an alarm. */
export const TypeBadge = ({ type }: { type: ServerType }) => (
  <span className={styles['badge']} data-type={type}>
    {type}
  </span>
);

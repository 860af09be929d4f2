import type { ServerType } from '@vigie/contracts/servers';
import styles from './TypeBadge.module.css';

/** Outlined, so that its colour is not taken for an alarm. */
export const TypeBadge = ({ type }: { type: ServerType }) => (
  <span className={styles['badge']} data-type={type}>
    {type}
  </span>
);

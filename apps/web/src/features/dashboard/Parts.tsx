import type { ReactNode } from 'react';
import styles from './dashboard.module.css';

type Props = {
  /** Beside each other where there is room. */
  areColumns?: boolean;
  children: ReactNode;
};

/** A part is shown once those above it have their final height, so that nothing in sight moves. All load at once. */
export const Parts = ({ areColumns = false, children }: Props) => (
  <div className={styles['parts']} data-columns={areColumns || undefined}>
    {children}
  </div>
);

import type { ReactNode } from 'react';
import styles from './FactList.module.css';

/** A list of names and values; the class sets the number of columns. */
export const FactList = ({ className, children }: { className: string | undefined; children: ReactNode }) => (
  <dl className={`${styles['facts']} ${className ?? ''}`}>{children}</dl>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

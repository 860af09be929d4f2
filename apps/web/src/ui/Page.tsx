import type { ReactNode } from 'react';
import styles from './Page.module.css';

type Props = { title: string; lead: string; action?: ReactNode; children: ReactNode };

/** A screen under its title. */
export const Page = ({ title, lead, action, children }: Props) => (
  <div className={styles['page']}>
    <header className={styles['head']}>
      <div>
        <h1>{title}</h1>
        <p className={styles['lead']}>{lead}</p>
      </div>
      {action}
    </header>
    {children}
  </div>
);

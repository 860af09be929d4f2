import type { ReactNode } from 'react';
import styles from './Page.module.css';

type Props = {
  title: string;
  lead: string;
  /** The main action of the screen. */
  action?: ReactNode;
  /** In pixels, for forms and widgets; tables take the whole width. */
  maxWidth?: number;
  children: ReactNode;
};

/** A screen under its title. */
export const Page = ({ title, lead, action, maxWidth, children }: Props) => (
  <div className={styles['page']} style={{ maxWidth }}>
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

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './Notice.module.css';

type Props = {
  icon: LucideIcon;
  title: string;
  /** Aloud at once, when it replaces what the person was looking at. */
  role?: 'alert' | 'status';
  children?: ReactNode;
  actions?: ReactNode;
};

/** A whole screen that has something to say instead of something to show. */
export function Notice({ icon: Icon, title, role, children, actions }: Props) {
  return (
    <div className={styles['notice']} role={role}>
      <span className={styles['icon']}>
        <Icon size={20} strokeWidth={1.5} aria-hidden />
      </span>
      <h1 className={styles['title']}>{title}</h1>
      {children !== undefined && <div className={styles['text']}>{children}</div>}
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}

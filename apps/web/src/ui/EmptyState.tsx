import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type Props = {
  icon: LucideIcon;
  title: string;
  role?: 'alert' | 'status';
  children?: ReactNode;
  actions?: ReactNode;
};

/** Part of a screen that has something to say instead of something to show. */
export function EmptyState({ icon: Icon, title, role, children, actions }: Props) {
  return (
    <div className={styles['empty']} role={role}>
      <span className={styles['icon']}>
        <Icon size={20} strokeWidth={1.5} aria-hidden />
      </span>
      <p className={styles['title']}>{title}</p>
      {children !== undefined && <div className={styles['text']}>{children}</div>}
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}

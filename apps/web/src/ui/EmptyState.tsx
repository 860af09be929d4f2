import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type Props = {
  icon: LucideIcon;
  title: string;
  /** Screen readers read it at once, when it replaces visible content. */
  role?: 'alert' | 'status';
  children?: ReactNode;
  actions?: ReactNode;
};

const Message = ({ icon: Icon, heading, children, actions }: Props & { heading: ReactNode }) => (
  <>
    <span className={styles['icon']}>
      <Icon size={20} strokeWidth={1.5} aria-hidden />
    </span>
    {heading}
    {children !== undefined && <div className={styles['text']}>{children}</div>}
    {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
  </>
);

/** A message in place of a part of a screen. */
export const EmptyState = (props: Props) => (
  <div className={styles['part']} role={props.role}>
    <Message {...props} heading={<p className={styles['title']}>{props.title}</p>} />
  </div>
);

/** A message in place of a whole screen. */
export const Notice = (props: Props) => (
  <div className={styles['screen']} role={props.role}>
    <Message {...props} heading={<h1>{props.title}</h1>} />
  </div>
);

import { type ReactNode, useId } from 'react';
import styles from './Section.module.css';

type Props = { title: string; about?: ReactNode; children: ReactNode };

/** One subject of a settings screen: its description beside its fields. */
export function Section({ title, about, children }: Props) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className={styles['section']}>
      <div className={styles['head']}>
        <h2 id={heading}>{title}</h2>
        {about !== undefined && <div className={styles['about']}>{about}</div>}
      </div>
      <div className={styles['body']}>{children}</div>
    </section>
  );
}

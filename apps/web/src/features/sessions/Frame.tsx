import type { ReactNode } from 'react';
import { copyrightOf, useBrand, version } from '../../ui/brand';
import { Logo } from '../../ui/Logo';
import styles from './Frame.module.css';
import { Lookout } from './Lookout';

type Props = { title: string; lead: string; children: ReactNode };

/** Around what somebody sees who is not logged in. */
export function Frame({ title, lead, children }: Props) {
  const brand = useBrand();
  return (
    <div className={styles['page']}>
      <Lookout />
      <main className={styles['main']}>
        <div className={styles['card']}>
          <div className={styles['brand']}>
            <Logo size={32} />
            {brand.app_name}
          </div>
          <h1 className={styles['title']}>{title}</h1>
          <p className={styles['lead']}>{lead}</p>
          {children}
        </div>
        <footer className={styles['foot']}>
          {copyrightOf(brand)} · {version}
        </footer>
      </main>
    </div>
  );
}

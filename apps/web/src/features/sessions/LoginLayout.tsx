import type { ReactNode } from 'react';
import { copyrightOf, useBrand, version } from '../../ui/brand';
import { Logo } from '../../ui/Logo';
import styles from './LoginLayout.module.css';
import { Lighthouse } from './Lighthouse';

type Props = { title: string; lead: string; children: ReactNode };

/** The layout of the pages that need no session. */
export function LoginLayout({ title, lead, children }: Props) {
  const brand = useBrand();
  return (
    <div className={styles['page']}>
      <Lighthouse />
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

import { Link, type LinkProps, useRouter } from '@tanstack/react-router';
import type { Site } from '@vigie/contracts/sites';
import { useEffect, useRef } from 'react';
import { isOwn } from '../../kit/fleet/roles';
import styles from './sites.module.css';

const tabs = [
  { to: '/sites/$siteId', title: 'Vue d’ensemble' },
  { to: '/sites/$siteId/plugins', title: 'Plugins et thèmes', count: 'updates' },
  { to: '/sites/$siteId/backups', title: 'Sauvegardes', count: 'backups' },
  { to: '/sites/$siteId/journal', title: 'Journal' },
  { to: '/sites/$siteId/dns', title: 'DNS', isOfOwner: true },
] as const satisfies readonly Tab[];

type Tab = Pick<LinkProps, 'to'> & { title: string; count?: keyof Counts; isOfOwner?: boolean };

type Counts = { updates?: number | undefined; backups?: number | undefined };

/** On a phone the tabs scroll sideways: the open one comes into sight, once the router has restored other scrolls. */
function useTabInSight() {
  const nav = useRef<HTMLElement>(null);
  const router = useRouter();
  useEffect(() => {
    const show = () => {
      const tab = nav.current?.querySelector<HTMLElement>('[aria-current]');
      if (tab) nav.current?.scrollTo({ left: tab.offsetLeft - (nav.current.clientWidth - tab.offsetWidth) / 2 });
    };
    show();
    return router.subscribe('onRendered', show);
  }, [router]);
  return nav;
}

/** The parts of the page of a site, as links. The site is undefined while it loads. */
export function SiteTabs({ id, site, ...counts }: Counts & { id: string; site: Site | undefined }) {
  const nav = useTabInSight();
  const shownTabs = tabs.filter((tab) => !('isOfOwner' in tab && site && !isOwn(site)));
  return (
    <nav ref={nav} aria-label="Parties du site" className={styles['tabs']} data-tabs>
      {shownTabs.map(({ to, title, ...tab }) => (
        <Link
          key={to}
          to={to}
          params={{ siteId: id }}
          search={{}}
          activeOptions={{ exact: true, includeSearch: false }}
          className={styles['tab'] ?? ''}
        >
          {title}
          {'count' in tab && <Count of={tab.count} count={counts[tab.count]} />}
        </Link>
      ))}
    </nav>
  );
}

function Count({ of, count = 0 }: { of: keyof Counts; count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span data-waiting={of === 'updates' || undefined} className={styles['count']}>
      {count}
    </span>
  );
}

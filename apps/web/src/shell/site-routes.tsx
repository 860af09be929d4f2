import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { ActivitySearch } from '../features/activity/search';
import { ArchiveSearch } from '../features/backups/search';
import { ItemsSearch } from '../features/changes/search';
import { RepairsSearch } from '../features/site-repairs/search';
import { SiteSearch, TestSearch } from '../features/sites/search';
import { UptimeSearch } from '../features/uptime/search';
import { Card } from '../ui/Card';
import { Skeleton } from '../ui/Skeleton';
import { underApp, withPreload } from './app-route';

const staticData = { title: 'Site', parent: { title: 'Sites', to: '/sites' } } as const;
const Layout = lazyRouteComponent(() => import('./pages/SiteLayout'), 'SiteLayout');

const layout = createRoute({
  ...underApp,
  path: '/sites/$siteId',
  validateSearch: SiteSearch.extend(RepairsSearch.shape),
  staticData,
  component: withPreload(function SiteRoute() {
    return <Layout id={layout.useParams().siteId} search={layout.useSearch()} />;
  }, Layout),
});

const tab = {
  getParentRoute: () => layout,
  staticData,
  pendingComponent: () => (
    <Card>
      <Skeleton rows={6} height={56} />
    </Card>
  ),
} as const;

const Overview = lazyRouteComponent(() => import('./pages/SiteOverview'), 'SiteOverview');

const overview = createRoute({
  ...tab,
  path: '/',
  validateSearch: TestSearch.extend(ItemsSearch.shape).extend(ArchiveSearch.shape).extend(UptimeSearch.shape),
  /** Addresses of the time before the tabs lead to the tab that shows what they name. */
  beforeLoad: ({ location, search, params }) => {
    const target = { params, search, replace: true };
    if (location.hash === 'backups' || search.archive !== undefined)
      throw redirect({ to: '/sites/$siteId/backups', ...target });
    if ([search.q, search.type, search.updates].some((filter) => filter !== undefined))
      throw redirect({ to: '/sites/$siteId/plugins', ...target });
  },
  component: withPreload(function OverviewRoute() {
    return <Overview id={overview.useParams().siteId} search={overview.useSearch()} />;
  }, Overview),
});

const Items = lazyRouteComponent(() => import('./pages/SiteItems'), 'SiteItems');

const items = createRoute({
  ...tab,
  path: 'plugins',
  validateSearch: ItemsSearch,
  component: withPreload(function ItemsRoute() {
    return <Items id={items.useParams().siteId} search={items.useSearch()} />;
  }, Items),
});

const Backups = lazyRouteComponent(() => import('./pages/SiteBackups'), 'SiteBackups');

const backups = createRoute({
  ...tab,
  path: 'backups',
  validateSearch: ArchiveSearch,
  component: withPreload(function BackupsRoute() {
    return <Backups id={backups.useParams().siteId} search={backups.useSearch()} />;
  }, Backups),
});

const Journal = lazyRouteComponent(() => import('./pages/SiteJournal'), 'SiteJournal');

const journal = createRoute({
  ...tab,
  path: 'journal',
  validateSearch: ActivitySearch.omit({ site: true }),
  component: withPreload(function JournalRoute() {
    return <Journal id={journal.useParams().siteId} search={journal.useSearch()} />;
  }, Journal),
});

const Dns = lazyRouteComponent(() => import('./pages/SiteDns'), 'SiteDns');

const dns = createRoute({
  ...tab,
  path: 'dns',
  component: withPreload(function DnsRoute() {
    return <Dns id={dns.useParams().siteId} />;
  }, Dns),
});

/** The page of one site: its head, and a tab for each part. */
export const site = layout.addChildren([overview, items, backups, journal, dns]);

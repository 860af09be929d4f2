import { createRoute, createRouter, lazyRouteComponent, redirect, useNavigate } from '@tanstack/react-router';
import { z } from 'zod';
import { ActivitySearch } from '../features/activity/search';
import { ReferenceSearch } from '../features/api-reference/search';
import { FleetSearch } from '../features/dashboard/search';
import { GroupsSearch } from '../features/groups/search';
import { IncidentsSearch } from '../features/incidents/search';
import { JobsSearch } from '../features/jobs/search';
import { PluginsSearch } from '../features/plugins/search';
import { HealthSearch, HistorySearch } from '../features/server-health/search';
import { formerServer, ServerSearch, ServersSearch } from '../features/servers/search';
import { SiteCsvSearch } from '../features/site-csv/search';
import { DiscoverySearch } from '../features/site-discovery/search';
import { SitesSearch } from '../features/sites/search';
import { UploadsSearch } from '../features/uploads/search';
import { UsersSearch } from '../features/users/search';
import { userQueries } from '../kit/fleet/users';
import { ZonesSearch } from '../features/dns/search';
import { useSignal } from '../ui/signal';
import { text } from '../kit/list/search-params';
import { app, root, underApp, withPreload } from './app-route';
import { AdminOnly } from './session/AdminOnly';
import { NotFound, ScreenError } from './layout/ScreenError';
import { Loading } from './layout/StartScreens';
import { NotificationsSearch } from './notifications-search';
import { followSession } from './session/follow-session';
import { logOut } from './session/logout';
import { site } from './site-routes';
import { openSession, session, sessionExpired } from '../kit/query/session';
import { DashboardPage } from './pages/DashboardPage';
import { store } from '../kit/store';

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    title?: string;
    parent?: { title: string; to: '/sites' | '/servers' | '/tasks' | '/proposals' | '/incidents' };
  }
}

const Login = lazyRouteComponent(() => import('../features/sessions/Page'), 'LoginPage');

/** Only a login needs it: the first screen does not wait for its code. */
const landingPage = async (next: string | undefined) => (await import('./session/landing')).landingPage(next);

function LoginScreen() {
  const { next } = login.useSearch();
  const navigate = useNavigate();
  const isExpired = useSignal(sessionExpired);
  const openPage = async (page: string | Promise<string>) => navigate({ href: await page, replace: true });
  return (
    <Login
      isExpired={isExpired}
      onLoggedIn={(token, me, isSettingUp) => {
        openSession(token, me);
        void store.dispatch(userQueries.util.upsertQueryData('me', undefined, me));
        const mustSetUp = me.requires_2fa_setup || isSettingUp;
        void openPage(mustSetUp ? '/security/2fa' : landingPage(next));
      }}
    />
  );
}

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: z.object({ next: z.string().optional().catch(undefined) }),
  staticData: { title: 'Connexion' },
  beforeLoad: async ({ location, search }) => {
    if (session.get().token === null) return;
    if (location.state.isLeaving) await logOut();
    throw redirect({ href: await landingPage(search.next), replace: true });
  },
  component: withPreload(LoginScreen, Login),
});

const Reset = lazyRouteComponent(() => import('../features/sessions/ResetPage'), 'ResetPage');

const reset = createRoute({
  getParentRoute: () => root,
  path: '/reset',
  validateSearch: z.object({ token: z.string().optional().catch(undefined) }),
  staticData: { title: 'Nouveau mot de passe' },
  component: withPreload(function ResetScreen() {
    return <Reset token={reset.useSearch().token} />;
  }, Reset),
});

const Users = lazyRouteComponent(() => import('./pages/UsersScreen'), 'UsersScreen');

function UsersRoute() {
  const search = users.useSearch();
  return (
    <AdminOnly>
      <Users search={search} />
    </AdminOnly>
  );
}

const users = createRoute({
  ...underApp,
  path: '/admin/users',
  validateSearch: UsersSearch,
  staticData: { title: 'Utilisateurs' },
  component: withPreload(UsersRoute, Users),
});

const dashboard = createRoute({
  ...underApp,
  path: '/',
  validateSearch: ActivitySearch.extend(FleetSearch.shape).extend(HealthSearch.shape),
  staticData: { title: 'Tableau de bord' },
  // Most people begin here, so its code comes with the shell.
  component: function DashboardRoute() {
    return <DashboardPage search={dashboard.useSearch()} />;
  },
});

const Sites = lazyRouteComponent(() => import('./pages/SitesScreen'), 'SitesScreen');

const sites = createRoute({
  ...underApp,
  path: '/sites',
  validateSearch: SitesSearch.extend(DiscoverySearch.shape).extend(SiteCsvSearch.shape),
  staticData: { title: 'Sites' },
  component: withPreload(function SitesRoute() {
    return <Sites search={sites.useSearch()} />;
  }, Sites),
});

const Zones = lazyRouteComponent(() => import('../features/dns/Page'), 'ZonesPage');

const zones = createRoute({
  ...underApp,
  path: '/cloudflare',
  validateSearch: ZonesSearch,
  staticData: { title: 'DNS' },
  component: withPreload(function ZonesScreen() {
    return <Zones search={zones.useSearch()} />;
  }, Zones),
});

const Groups = lazyRouteComponent(() => import('./pages/GroupsScreen'), 'GroupsScreen');

const groups = createRoute({
  ...underApp,
  path: '/groups',
  validateSearch: GroupsSearch,
  staticData: { title: 'Groupes' },
  component: withPreload(function GroupsRoute() {
    return <Groups search={groups.useSearch()} />;
  }, Groups),
});

const Servers = lazyRouteComponent(() => import('../features/servers/Page'), 'ServersPage');

const servers = createRoute({
  ...underApp,
  path: '/servers',
  validateSearch: ServersSearch,
  staticData: { title: 'Serveurs' },
  beforeLoad: ({ search: { panel, ...search } }) => {
    const former = formerServer(search);
    if (!former) return;
    const { serverId } = former;
    throw redirect({
      to: '/servers/$serverId',
      params: { serverId },
      search: { ...former.search, panel },
      replace: true,
    });
  },
  component: withPreload(function ServersScreen() {
    return <Servers search={servers.useSearch()} />;
  }, Servers),
});

const ServerView = lazyRouteComponent(() => import('./pages/ServerScreen'), 'ServerScreen');

const server = createRoute({
  ...underApp,
  path: '/servers/$serverId',
  validateSearch: ServerSearch.extend(HistorySearch.shape),
  staticData: { title: 'Serveur', parent: { title: 'Serveurs', to: '/servers' } },
  component: withPreload(function ServerRoute() {
    return <ServerView id={server.useParams().serverId} search={server.useSearch()} />;
  }, ServerView),
});

const Console = lazyRouteComponent(() => import('./pages/ConsoleScreen'), 'ConsoleScreen');

/** A new console of a server opens in the folder of the site. */
const ConsoleSearch = z.object({ console: text, site: text });

const console = createRoute({
  ...underApp,
  path: '/servers/$serverId/console',
  validateSearch: ConsoleSearch,
  staticData: { title: 'Console', parent: { title: 'Serveurs', to: '/servers' } },
  component: withPreload(function ServerConsoleRoute() {
    return <Console id={console.useParams().serverId} search={console.useSearch()} />;
  }, Console),
});

const siteConsole = createRoute({
  ...underApp,
  path: '/sites/$siteId/console',
  validateSearch: ConsoleSearch,
  staticData: { title: 'Console', parent: { title: 'Sites', to: '/sites' } },
  component: withPreload(function SiteConsoleRoute() {
    return <Console isSite id={siteConsole.useParams().siteId} search={siteConsole.useSearch()} />;
  }, Console),
});

const Uploads = lazyRouteComponent(() => import('./pages/UploadsScreen'), 'UploadsScreen');

const uploads = createRoute({
  ...underApp,
  path: '/uploads',
  validateSearch: UploadsSearch,
  staticData: { title: 'Uploads' },
  component: withPreload(function UploadsRoute() {
    return <Uploads search={uploads.useSearch()} />;
  }, Uploads),
});

const Plugins = lazyRouteComponent(() => import('./pages/PluginsScreen'), 'PluginsScreen');

const plugins = createRoute({
  ...underApp,
  path: '/plugins',
  validateSearch: PluginsSearch,
  staticData: { title: 'Plugins' },
  component: withPreload(function PluginsRoute() {
    return <Plugins search={plugins.useSearch()} />;
  }, Plugins),
});

const Jobs = lazyRouteComponent(() => import('./pages/JobsScreen'), 'JobsScreen');

const jobs = createRoute({
  ...underApp,
  path: '/tasks',
  validateSearch: JobsSearch,
  staticData: { title: 'Tâches' },
  component: withPreload(function JobsRoute() {
    return <Jobs search={jobs.useSearch()} />;
  }, Jobs),
});

const JobView = lazyRouteComponent(() => import('./pages/JobScreen'), 'JobScreen');

const job = createRoute({
  ...underApp,
  path: '/tasks/$jobId',
  staticData: { title: 'Tâche', parent: { title: 'Tâches', to: '/tasks' } },
  component: withPreload(function JobRoute() {
    const { jobId } = job.useParams();
    return <JobView key={jobId} id={jobId} />;
  }, JobView),
});

const Reference = lazyRouteComponent(() => import('../features/api-reference/Page'), 'ReferencePage');

const reference = createRoute({
  ...underApp,
  path: '/reference',
  validateSearch: ReferenceSearch,
  staticData: { title: 'Référence de l’API' },
  component: withPreload(function ReferenceScreen() {
    return <Reference search={reference.useSearch()} />;
  }, Reference),
});

const Proposal = lazyRouteComponent(() => import('./pages/ProposalScreen'), 'ProposalScreen');

const proposal = createRoute({
  ...underApp,
  path: '/proposals/$proposalId',
  staticData: { title: 'Proposition', parent: { title: 'Propositions', to: '/proposals' } },
  component: withPreload(function ProposalRoute() {
    const { proposalId } = proposal.useParams();
    return <Proposal key={proposalId} id={proposalId} />;
  }, Proposal),
});

const Incidents = lazyRouteComponent(() => import('../features/incidents/IncidentsPage'), 'IncidentsPage');

const incidents = createRoute({
  ...underApp,
  path: '/incidents',
  validateSearch: IncidentsSearch,
  staticData: { title: 'Incidents' },
  component: withPreload(function IncidentsRoute() {
    return <Incidents search={incidents.useSearch()} />;
  }, Incidents),
});

const Incident = lazyRouteComponent(() => import('../features/incidents/IncidentPage'), 'IncidentPage');

const incident = createRoute({
  ...underApp,
  path: '/incidents/$incidentId',
  staticData: { title: 'Incident', parent: { title: 'Incidents', to: '/incidents' } },
  component: withPreload(function IncidentRoute() {
    const { incidentId } = incident.useParams();
    return <Incident key={incidentId} id={incidentId} />;
  }, Incident),
});

const Notifications = lazyRouteComponent(() => import('./pages/NotificationsScreen'), 'NotificationsScreen');

const notifications = createRoute({
  ...underApp,
  path: '/notifications',
  validateSearch: NotificationsSearch,
  staticData: { title: 'Notifications' },
  component: withPreload(function NotificationsRoute() {
    return <Notifications search={notifications.useSearch()} />;
  }, Notifications),
});

const PublicPage = lazyRouteComponent(() => import('../features/status-pages/PublicPage'), 'PublicPage');

/** Beside the console: its visitors need no session, only the address. */
const publicPage = createRoute({
  getParentRoute: () => root,
  path: '/etat/$secret',
  staticData: { title: 'État des sites' },
  component: withPreload(function PublicPageRoute() {
    const { secret } = publicPage.useParams();
    return <PublicPage key={secret} secret={secret} />;
  }, PublicPage),
});

const tree = root.addChildren([
  login,
  reset,
  publicPage,
  app.addChildren([
    dashboard,
    sites,
    site,
    zones,
    groups,
    uploads,
    plugins,
    servers,
    server,
    console,
    siteConsole,
    jobs,
    job,
    reference,
    proposal,
    incidents,
    incident,
    createRoute({
      ...underApp,
      path: '/proposals',
      staticData: { title: 'Propositions' },
      component: lazyRouteComponent(() => import('../features/proposals/ProposalsPage'), 'ProposalsPage'),
    }),
    notifications,
    createRoute({
      ...underApp,
      path: '/settings',
      staticData: { title: 'Paramètres' },
      component: lazyRouteComponent(() => import('../features/settings/Page'), 'SettingsPage'),
    }),
    createRoute({
      ...underApp,
      path: '/security/2fa',
      staticData: { title: 'Sécurité 2FA' },
      component: lazyRouteComponent(() => import('./pages/TwoFactorScreen'), 'TwoFactorScreen'),
    }),
    users,
    createRoute({ ...underApp, path: '$', staticData: { title: 'Page introuvable' }, component: NotFound }),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: Loading,
  defaultErrorComponent: ScreenError,
  defaultNotFoundComponent: NotFound,
});

followSession(router, app.id);

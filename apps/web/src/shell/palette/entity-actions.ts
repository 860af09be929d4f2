import type { UseNavigateResult } from '@tanstack/react-router';
import { markStarted } from '../../kit/job/outcomes';
import { store } from '../../kit/store';
import { overlay } from '../layout/overlays';
import type { Runner } from './actions';
import type { Entity, Kind } from './entities';
import type { VerbName } from './verbs';

type Navigate = UseNavigateResult<string>;
type Act = (entity: Entity, navigate: Navigate) => void;

const openSite = ({ id }: Entity, navigate: Navigate, rest: { search?: object } = {}) =>
  void navigate({ to: '/sites/$siteId', params: { siteId: id }, ...rest });

const openers: Readonly<Record<Kind, Act>> = {
  site: openSite,
  server: ({ id }, navigate) => void navigate({ to: '/servers/$serverId', params: { serverId: id } }),
  group: ({ name }, navigate) => void navigate({ to: '/groups', search: { q: name } }),
  plugin: ({ id }, navigate) => void navigate({ to: '/plugins', search: { q: id } }),
  zone: ({ id }, navigate) => void navigate({ to: '/cloudflare', search: { tab: 'dns', zone: id } }),
};

/** Tests a server; the dock shows the test. */
async function testServer(id: string): Promise<void> {
  const { statusApi } = await import('../../features/servers/servers.api');
  const { data } = await store.dispatch(statusApi.endpoints.testServers.initiate({ ids: [id] }));
  if (data) markStarted(data.job_id);
}

const editors: Partial<Record<Kind, Act>> = {
  site: (entity, navigate) => openSite(entity, navigate, { search: { edit: true } }),
  server: ({ id }, navigate) => void navigate({ to: '/servers', search: { edit: id } }),
  group: ({ id }, navigate) => void navigate({ to: '/groups', search: { edit: id } }),
};

/** `words` of a site is its address. */
const adminOf = ({ words }: Entity) => `${words.replace(/\/+$/, '')}/wp-admin/`;

const acts: Readonly<Record<VerbName, Act>> = {
  open: (entity, navigate) => openers[entity.kind](entity, navigate),
  edit: (entity, navigate) => editors[entity.kind]?.(entity, navigate),
  // These open over the current page.
  backup: ({ id }) => overlay.set({ verb: 'backup', siteIds: [id] }),
  update: ({ id }) => overlay.set({ verb: 'update', siteIds: [id] }),
  test: ({ kind, id }) => {
    if (kind === 'site') overlay.set({ verb: 'test', siteIds: [id] });
    else void testServer(id);
  },
  restore: ({ id }, navigate) => void navigate({ to: '/sites/$siteId/backups', params: { siteId: id } }),
  repair: (entity, navigate) => openSite(entity, navigate, { search: { repairs: true } }),
  login: (entity) => void window.open(adminOf(entity), '_blank', 'noopener,noreferrer'),
  console: ({ kind, id, server_id: serverId }, navigate) =>
    void navigate({
      to: '/servers/$serverId/console',
      params: { serverId: kind === 'server' ? id : (serverId ?? id) },
      search: kind === 'site' ? { site: id } : {},
    }),
  discover: ({ id }, navigate) =>
    void navigate({ to: '/servers/$serverId', params: { serverId: id }, search: { discover: true } }),
  sites: ({ kind, id }, navigate) =>
    void navigate({ to: '/sites', search: kind === 'server' ? { server: id } : { group: id } }),
};

export const createRunner = (navigate: Navigate): Runner => ({
  act: (verb, entity) => acts[verb](entity, navigate),
  batch: (verb, siteIds) => overlay.set({ verb, siteIds }),
  list: (q) => void navigate({ to: '/sites', search: { q } }),
});

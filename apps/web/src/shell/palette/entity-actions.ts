import type { UseNavigateResult } from '@tanstack/react-router';
import type { ActionName } from './actions';
import type { Entity, Kind } from './entities';
import { overlay } from '../layout/overlays';

type EntityAction = (entity: Entity, navigate: UseNavigateResult<string>) => void;
const openSite = (id: string, navigate: UseNavigateResult<string>, hash?: string) =>
  void navigate({ to: '/sites/$siteId', params: { siteId: id }, ...(hash !== undefined && { hash }) });

const openers: Readonly<Record<Kind, EntityAction>> = {
  site: ({ id }, navigate) => openSite(id, navigate),
  server: ({ id }, navigate) => void navigate({ to: '/servers/$serverId', params: { serverId: id } }),
  group: ({ name }, navigate) => void navigate({ to: '/groups', search: { q: name } }),
  plugin: ({ id }, navigate) => void navigate({ to: '/plugins', search: { q: id } }),
  zone: ({ id }, navigate) => void navigate({ to: '/cloudflare', search: { tab: 'dns', zone: id } }),
};

const entityActions: Readonly<Record<ActionName, EntityAction>> = {
  open: (entity, navigate) => openers[entity.kind](entity, navigate),
  backup: ({ id }, navigate) => openSite(id, navigate, 'backups'),
  // The plan opens over the current page.
  update: ({ id }) => overlay.set({ updates: id }),
  edit: ({ kind, id }, navigate) => {
    if (kind === 'site') void navigate({ to: '/sites/$siteId', params: { siteId: id }, search: { edit: true } });
    else void navigate({ to: kind === 'server' ? '/servers' : '/groups', search: { edit: id } });
  },
  console: ({ id }, navigate) => void navigate({ to: '/servers/$serverId/console', params: { serverId: id } }),
  sites: ({ kind, id }, navigate) =>
    void navigate({ to: '/sites', search: kind === 'server' ? { server: id } : { group: id } }),
};

export const createEntityAction =
  (navigate: UseNavigateResult<string>) =>
  (action: ActionName, entity: Entity): void =>
    entityActions[action](entity, navigate);

import type { Console } from '@vigie/contracts/consoles';
import type { ServerType } from '@vigie/contracts/servers';
import type { Site } from '@vigie/contracts/sites';
import { addressOf } from '../../ui/serverAddress';

/** What a console is opened on. */
export type Target = {
  /** A site, by its own connection, and not a server. */
  isSite?: boolean;
  id: string;
  name: string;
  type: ServerType | null;
  /** Null on a site that is shared with the user. */
  user: string | null;
  host: string | null;
  port: number | null;
  /** The site in whose folder the shell of a server begins. */
  siteId?: string | undefined;
};

const hidden = { user: null, host: null, port: null };

export const siteTarget = ({ id, name, connection }: Pick<Site, 'id' | 'name' | 'connection'>): Target => ({
  isSite: true,
  id,
  name,
  type: null,
  ...(connection.ssh.effective ?? hidden),
});

export const consoleName = (console: Console): string => console.site_name ?? console.server_name ?? '';

export const consoleTarget = (console: Console): Target => ({
  isSite: console.site_id !== null,
  id: console.site_id ?? console.server_id ?? '',
  name: consoleName(console),
  type: console.server_type,
  user: console.user,
  host: console.host,
  port: console.port,
});

/** Undefined where the user does not see the connection. */
export const addressOfTarget = ({ user, host, port }: Target): string | undefined =>
  user === null || host === null || port === null ? undefined : addressOf({ user, host, port });

/** The page of a console. */
export const consolePage = ({ id, isSite }: Pick<Target, 'id' | 'isSite'>, console: string | undefined) => {
  const search = console === undefined ? {} : { console };
  return isSite
    ? ({ to: '/sites/$siteId/console', params: { siteId: id }, search } as const)
    : ({ to: '/servers/$serverId/console', params: { serverId: id }, search } as const);
};

import { createHash } from 'node:crypto';
import { AppError } from '@vigie/contracts/errors';
import { readGroupPaths, writeGroupPaths } from '@vigie/contracts/group-paths';
import type { SiteCsvLine, SiteCsvVerdict } from '@vigie/contracts/site-csv';
import { maxGroups, tooManyGroups } from '@vigie/contracts/groups';
import { CreateSite } from '@vigie/contracts/sites';
import type { GroupTree } from '../groups/group-tree';
import { addressOf, type Server } from '../servers/server.entity';
import { effectiveAddress } from '../sites/site-access';
import { refusePasswordLoan } from '../sites/site-credentials';
import type { Site } from '../sites/site.entity';
import type { NamedServers } from './named-servers';

export type RefusedLine = { line: number; reason: string };
export type AcceptedLine = {
  line: number;
  /** Fields that the server has too are null, so that the site follows its server. */
  fields: Pick<Site, 'name' | 'url' | 'serverId' | 'host' | 'port' | 'user' | 'path'>;
  server: Server | null;
  groups: readonly (readonly string[])[];
  host: string;
  port: number;
  place: SiteCsvVerdict['place'];
};

/** Checks a line as the form of a site does, and finds its server and groups. */
export function resolveLine(line: SiteCsvLine, servers: NamedServers, tree: GroupTree): AcceptedLine | RefusedLine {
  const refuse = (reason: string): RefusedLine => ({ line: line.line, reason });
  const server = servers.find(line);
  if (typeof server === 'string') return refuse(server);
  const checked = CreateSite.safeParse(requestOf(line, server));
  if (!checked.success) return refuse(refusalOf(line, checked.error.issues));
  const { name, url, host = null, port = null, user = null, wp_path: path = null } = checked.data;
  const place = server ? ownFields({ host, port, user }, addressOf(server)) : { host, port, user };
  const address = effectiveAddress(place, server && addressOf(server));
  if (!address) return refuse('Il manque l’hôte.');
  const refusal = loanRefusal(server, address) ?? groupsRefusal(line.groups, tree);
  if (refusal !== undefined) return refuse(refusal);
  const digest = (text: string) => digestOf([address.host, address.port, text]);
  return {
    line: line.line,
    fields: { name, url, serverId: server?.id ?? null, ...place, path },
    server,
    groups: readGroupPaths(line.groups),
    host: address.host,
    port: address.port,
    place: { path: path === null ? null : digest(path), url: digest(url) },
  };
}

/** A URL without a scheme gets https, as in the form. */
const requestOf = ({ name, url, host, port, user, path }: SiteCsvLine, server: Server | null): CreateSite => ({
  name,
  url: url === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`,
  connection: {
    ssh: {
      server_id: server?.id ?? null,
      host: host || null,
      port: port === '' ? null : /^\d{1,6}$/.test(port) ? Number(port) : 0,
      user: user || null,
      wp_path: path || null,
    },
  },
});

const columnOf: Readonly<Record<string, [keyof SiteCsvLine, string]>> = {
  name: ['name', 'nom'],
  url: ['url', 'url'],
  host: ['host', 'hôte'],
  port: ['port', 'port'],
  user: ['user', 'utilisateur'],
  wp_path: ['path', 'chemin'],
};

/** Names the column and its value. */
function refusalOf(line: SiteCsvLine, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const [issue] = issues;
  const [field, column] = columnOf[String(issue?.path.at(-1))] ?? [];
  if (field === undefined) return issue?.message ?? 'Cette ligne n’a pas été comprise.';
  const value = String(line[field]);
  return value === ''
    ? `La case «\u00a0${column}\u00a0» est vide.`
    : `${column} «\u00a0${value.slice(0, 80)}\u00a0»\u00a0: ${issue?.message}`;
}

type Address = Pick<Site, 'host' | 'port' | 'user'>;

const ownFields = ({ host, port, user }: Address, server: Address): Address => ({
  host: host === server.host ? null : host,
  port: port === server.port ? null : port,
  user: user === server.user ? null : user,
});

function loanRefusal(server: Server | null, address: Parameters<typeof refusePasswordLoan>[1]): string | undefined {
  try {
    if (server) refusePasswordLoan(server, address);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && typeof error.detail === 'string') return error.detail;
    throw error;
  }
}

function groupsRefusal(text: string, tree: GroupTree): string | undefined {
  const paths = readGroupPaths(text);
  if (paths.length > maxGroups) return tooManyGroups;
  for (const path of paths) {
    const match = tree.match(path);
    if (typeof match === 'string')
      return `groupes «\u00a0${writeGroupPaths([path]).slice(0, 80)}\u00a0»\u00a0: ${match}`;
  }
  return undefined;
}

const digestOf = (values: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(values)).digest('base64url').slice(0, 22);

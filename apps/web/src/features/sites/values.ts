import { CreateSite, EditSite, type Site } from '@vigie/contracts/sites';
import { isOwn } from '../../kit/fleet/roles';
import {
  buildAuth,
  hasSameIds,
  privateKeyError,
  passwordNeededAgain,
  parsePort,
  type Credentials,
  emptyCredentials,
} from '../../kit/form/credentials';
import { emptyErrors, firstErrors, type FormErrors, schemaErrors } from '../../kit/form/errors';

/** `own` is the access of the site's server, or without a server the key that Vigie generates. */
type Method = 'own' | 'password' | 'key';
/** An empty field takes the server's value, or the default. */
export type Values = Credentials & {
  name: string;
  url: string;
  groups: readonly string[];
  server: string;
  host: string;
  port: string;
  user: string;
  path: string;
  method: Method;
};
export const blank: Values = {
  name: '',
  url: '',
  groups: [],
  server: '',
  host: '',
  port: '',
  user: '',
  path: '',
  method: 'own',
  ...emptyCredentials,
};

type StoredSite = Pick<Site, 'id' | 'name' | 'url' | 'groups' | 'connection' | 'role'>;

function methodOf({ connection: { ssh } }: StoredSite): Method {
  if (ssh.has_password) return 'password';
  // Without a server, the key belongs to the site even if Vigie generated it.
  return ssh.has_key && ssh.server_id !== null ? 'key' : 'own';
}

export function valuesOf(site: StoredSite): Values {
  const { ssh } = site.connection;
  return {
    name: site.name,
    url: site.url,
    groups: site.groups,
    server: ssh.server_id ?? '',
    host: ssh.host ?? '',
    port: ssh.port === null ? '' : String(ssh.port),
    user: ssh.user ?? '',
    path: ssh.wp_path ?? '',
    method: methodOf(site),
    ...emptyCredentials,
  };
}

/** Undefined for an empty field. */
const parseOptionalPort = (text: string) => (text.trim() === '' ? undefined : parsePort(text));

/** A URL without a scheme gets https. */
export function normalize(values: Values): Values {
  const [url, port] = [values.url.trim(), parseOptionalPort(values.port)];
  const lacksScheme = url !== '' && !/^[a-z][a-z\d+.-]*:/i.test(url);
  return { ...values, url: lacksScheme ? `https://${url}` : url, port: port === undefined ? '' : String(port) };
}

const connectionOf = ({ server, host, port, user, path }: Values) => ({
  server_id: server || null,
  host: host.trim() || null,
  port: parseOptionalPort(port) ?? null,
  user: user.trim() || null,
  wp_path: path.trim() || null,
});

export function creationOf(values: Values): CreateSite {
  const { name, url, groups } = values;
  const auth = buildAuth(values);
  return {
    name,
    url,
    groups: [...groups],
    connection: { method: 'ssh', ssh: { ...connectionOf(values), ...(auth && { auth }) } },
  };
}

/** The contract trims spaces and slashes and lowers the host, so that these are no change. */
function normalizedConnection(values: Values) {
  const edit = { id: '00000000-0000-7000-8000-000000000000', connection: { ssh: connectionOf(values) } };
  const { server_id, host, port, user, wp_path } = EditSite.safeParse(edit).data ?? connectionOf(values);
  return {
    server_id: server_id ?? null,
    host: host ?? null,
    port: port ?? null,
    user: user ?? null,
    wp_path: wp_path ?? null,
  };
}

function changedConnection(site: StoredSite, values: Values) {
  const { ssh } = site.connection;
  const normalized = normalizedConnection(values);
  return Object.fromEntries(
    Object.entries(normalized).filter(([name, value]) => value !== ssh[name as keyof typeof normalized]),
  ) as Partial<typeof normalized>;
}

/** A site with a server keeps its own key until the user chooses the server's access. */
function dropsStoredSecret(site: StoredSite, { method, server }: Values): boolean {
  if (method !== 'own') return false;
  return methodOf(site) !== 'own' || (server !== '' && site.connection.ssh.has_key);
}

/** Returns only the changed fields. */
export function changesOf(site: StoredSite, values: Values): EditSite {
  const changes: EditSite = { id: site.id };
  if (values.name.trim() !== site.name) changes.name = values.name;
  const { url = values.url } = EditSite.safeParse({ id: site.id, url: values.url }).data ?? {};
  if (url !== site.url) changes.url = values.url;
  if (!hasSameIds(values.groups, site.groups)) changes.groups = [...values.groups];
  const connection = changedConnection(site, values);
  const auth = buildAuth(values);
  // A secret is sealed for the address that it is sent with.
  if (auth) changes.connection = { ssh: { ...connectionOf(values), auth } };
  else if (dropsStoredSecret(site, values)) changes.connection = { ssh: { ...connection, auth: null } };
  else if (Object.keys(connection).length > 0) changes.connection = { ssh: connection };
  return changes;
}

function textsOf(values: Values): string[] {
  const { groups: _, server: __, method: ___, ...texts } = values;
  return Object.values(texts);
}

export function isChanged(site: StoredSite | undefined, values: Values): boolean {
  if (site) return Object.keys(changesOf(site, values)).length > 1;
  return values.groups.length > 0 || values.server !== '' || textsOf(values).some((text) => text.trim() !== '');
}

export const lacksNameOrUrl = ({ name, url }: Values) => name.trim() === '' || url.trim() === '';
export const lacksConnection = ({ server, host, user, path }: Values) =>
  server === '' && [host, user, path].some((text) => text.trim() === '');

/** A stored password is sealed for its address, so a new address needs the password again. */
export function needsPassword(site: StoredSite | undefined, values: Values): boolean {
  if (!site?.connection.ssh.has_password || values.method !== 'password') return false;
  return ['host', 'port', 'user', 'server_id'].some((name) => name in changedConnection(site, values));
}

function passwordFault(site: StoredSite | undefined, values: Values): string | undefined {
  if (values.method !== 'password' || values.password !== '') return undefined;
  if (needsPassword(site, values)) return passwordNeededAgain;
  return site?.connection.ssh.has_password ? undefined : 'Saisissez le mot de passe, ou choisissez un autre accès.';
}

/** An empty key field keeps the stored key; a site with a password has no key to keep. */
const hasStoredKey = (site: StoredSite | undefined) =>
  site?.connection.ssh.has_key === true && !site.connection.ssh.has_password;

/** Finds the errors that need no request. The connection of a site of somebody else is hidden. */
export function checkSite(site: StoredSite | undefined, values: Values): FormErrors<Values> {
  if (site && !isOwn(site)) return emptyErrors(values, ['name']);
  const { wp_path: path, ...refusals } = schemaErrors(
    CreateSite,
    { ...values, wp_path: values.path },
    creationOf(values),
  );
  return firstErrors<Values>(
    emptyErrors(values, lacksConnection(values) ? ['name', 'url', 'host', 'user', 'path'] : ['name', 'url']),
    { path, password: passwordFault(site, values), privateKeyPem: privateKeyError(values, hasStoredKey(site)) },
    refusals,
  );
}

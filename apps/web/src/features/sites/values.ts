import { CreateSite, EditSite, type Site } from '@vigie/contracts/sites';
import { authOf, isSame, keyFault, movedPassword, portOf, type Secrets, secrets } from '../../app/access';

/** How the site is logged in to: `own` is its server's access, or without a server the key that Vigie makes for it. */
type Method = 'own' | 'password' | 'key';
/** A site as its form holds it; what is empty is its server's, or the default. */
export type Values = Secrets & {
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
export type Field = Exclude<keyof Values, 'groups' | 'server' | 'method'>;
export type Errors = Partial<Record<Field, string>>;

/** In the order of the form: the focus goes to the first that is wrong. */
export const fields = [
  'name',
  'url',
  'host',
  'port',
  'user',
  'path',
  'password',
  'privateKeyPem',
  'passphrase',
] as const satisfies readonly Field[];

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
  ...secrets,
};

type Stored = Pick<Site, 'id' | 'name' | 'url' | 'groups' | 'connection'>;

function methodOf({ connection: { ssh } }: Stored): Method {
  if (ssh.has_password) return 'password';
  // Without a server its key is its own, whoever made it.
  return ssh.has_key && ssh.server_id !== null ? 'key' : 'own';
}

export function valuesOf(site: Stored): Values {
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
    ...secrets,
  };
}

/** Undefined where nothing is typed. */
const typedPort = (text: string) => (text.trim() === '' ? undefined : portOf(text));

/** An address typed without its scheme is one of today's web. */
export function settle(values: Values): Values {
  const [url, port] = [values.url.trim(), typedPort(values.port)];
  const isBare = url !== '' && !/^[a-z][a-z\d+.-]*:/i.test(url);
  return { ...values, url: isBare ? `https://${url}` : url, port: port === undefined ? '' : String(port) };
}

const wayOf = ({ server, host, port, user, path }: Values) => ({
  server_id: server || null,
  host: host.trim() || null,
  port: typedPort(port) ?? null,
  user: user.trim() || null,
  wp_path: path.trim() || null,
});

export function creationOf(values: Values): CreateSite {
  const { name, url, groups } = values;
  const auth = authOf(values);
  return {
    name,
    url,
    groups: [...groups],
    connection: { method: 'ssh', ssh: { ...wayOf(values), ...(auth && { auth }) } },
  };
}

/** As the contract writes them: spaces, a last slash and capitals of a host are no change. */
function writtenWay(values: Values) {
  const asked = { id: '00000000-0000-7000-8000-000000000000', connection: { ssh: wayOf(values) } };
  const { server_id, host, port, user, wp_path } = EditSite.safeParse(asked).data ?? wayOf(values);
  return {
    server_id: server_id ?? null,
    host: host ?? null,
    port: port ?? null,
    user: user ?? null,
    wp_path: wp_path ?? null,
  };
}

function changedWay(site: Stored, values: Values) {
  const { ssh } = site.connection;
  const written = writtenWay(values);
  return Object.fromEntries(
    Object.entries(written).filter(([name, value]) => value !== ssh[name as keyof typeof written]),
  ) as Partial<typeof written>;
}

/** A key that was given stays the site's own beside a server too, until somebody takes the server's instead. */
function isForgotten(site: Stored, { method, server }: Values): boolean {
  if (method !== 'own') return false;
  return methodOf(site) !== 'own' || (server !== '' && site.connection.ssh.has_key);
}

/** What differs from what is stored, and nothing else. */
export function changesOf(site: Stored, values: Values): EditSite {
  const changes: EditSite = { id: site.id };
  if (values.name.trim() !== site.name) changes.name = values.name;
  const { url = values.url } = EditSite.safeParse({ id: site.id, url: values.url }).data ?? {};
  if (url !== site.url) changes.url = values.url;
  if (!isSame(values.groups, site.groups)) changes.groups = [...values.groups];
  const way = changedWay(site, values);
  const auth = authOf(values);
  // A secret is sealed for the address that it is sent with.
  if (auth) changes.connection = { ssh: { ...wayOf(values), auth } };
  else if (isForgotten(site, values)) changes.connection = { ssh: { ...way, auth: null } };
  else if (Object.keys(way).length > 0) changes.connection = { ssh: way };
  return changes;
}

export function isChanged(site: Stored | undefined, values: Values): boolean {
  if (site) return Object.keys(changesOf(site, values)).length > 1;
  return values.groups.length > 0 || values.server !== '' || fields.some((field) => values[field].trim() !== '');
}

export const isNameless = ({ name, url }: Values) => name.trim() === '' || url.trim() === '';
export const isUnreachable = ({ server, host, user, path }: Values) =>
  server === '' && [host, user, path].some((text) => text.trim() === '');

/** A password opens for the address that it was given for, and for no other. */
export function asksPassword(site: Stored | undefined, values: Values): boolean {
  if (!site?.connection.ssh.has_password || values.method !== 'password') return false;
  return ['host', 'port', 'user', 'server_id'].some((name) => name in changedWay(site, values));
}

function passwordFault(site: Stored | undefined, values: Values): string | undefined {
  if (values.method !== 'password' || values.password !== '') return undefined;
  if (asksPassword(site, values)) return movedPassword;
  return site?.connection.ssh.has_password ? undefined : 'Saisissez le mot de passe, ou choisissez un autre accès.';
}

/** A password that is taken away leaves nothing that lets in. */
const isKeyKept = (site: Stored | undefined) =>
  site?.connection.ssh.has_key === true && !site.connection.ssh.has_password;

const fieldOf: Readonly<Record<string, Field>> = { wp_path: 'path' };

/** What can be said before the server is asked. */
export function checkSite(site: Stored | undefined, values: Values): Errors {
  const errors: Errors = {};
  const missing = isUnreachable(values)
    ? (['name', 'url', 'host', 'user', 'path'] as const)
    : (['name', 'url'] as const);
  for (const field of missing) if (values[field].trim() === '') errors[field] = 'À renseigner.';
  const [password, privateKeyPem] = [passwordFault(site, values), keyFault(values, isKeyKept(site))];
  if (password !== undefined) errors.password = password;
  if (privateKeyPem !== undefined) errors.privateKeyPem = privateKeyPem;
  const issues = CreateSite.safeParse(creationOf(values)).error?.issues ?? [];
  for (const { path, message } of issues) {
    const last = String(path.at(-1));
    const field = fields.find((name) => name === (fieldOf[last] ?? last));
    if (field) errors[field] ??= message;
  }
  return errors;
}

import { CreateServer, EditServer, type Server, type ServerType } from '@vigie/contracts/servers';
import { authOf, isSame, keyFault, movedPassword, portOf, type Secrets, secrets } from '../../app/access';

/** How the server is logged in to: `made` is the key pair that Vigie makes for it. */
type Method = 'password' | 'key' | 'made';
/** A server as its form holds it. */
export type Values = Secrets & {
  name: string;
  host: string;
  port: string;
  user: string;
  provider: string;
  type: ServerType;
  groups: readonly string[];
  method: Method;
};
export type Field = Exclude<keyof Values, 'type' | 'groups' | 'method'>;
export type Errors = Partial<Record<Field, string>>;

/** In the order of the form: the focus goes to the first that is wrong. */
export const fields = [
  'name',
  'host',
  'port',
  'user',
  'provider',
  'password',
  'privateKeyPem',
  'passphrase',
] as const satisfies readonly Field[];

export const blank: Values = {
  name: '',
  host: '',
  port: '',
  user: '',
  provider: '',
  type: 'prod',
  groups: [],
  method: 'made',
  ...secrets,
};

export const valuesOf = (server: Server): Values => ({
  name: server.name,
  host: server.host,
  port: String(server.port),
  user: server.user,
  provider: server.provider ?? '',
  type: server.type,
  groups: server.groups,
  method: server.has_password ? 'password' : 'key',
  ...secrets,
});

export function creationOf(values: Values): CreateServer {
  const { name, host, user, provider, type, groups } = values;
  const auth = authOf(values);
  const place = { name, host, port: portOf(values.port), user, provider, type };
  return { ...place, groups: [...groups], ...(auth && { auth }) };
}

/** What differs from what is stored, and nothing else. */
export function changesOf(server: Server, values: Values): EditServer {
  const { name, host, port, user, provider } = creationOf(values);
  const asked = { id: server.id, name, host, port, user, provider, type: values.type };
  // As the contract writes them: spaces and capitals of a host are no change.
  const written = EditServer.safeParse(asked).data ?? asked;
  const changes: EditServer = { id: server.id };
  if (written.name !== server.name) changes.name = name;
  if (written.host !== server.host) changes.host = host;
  if (written.port !== server.port) changes.port = port;
  if (written.user !== server.user) changes.user = user;
  if (written.provider !== server.provider) changes.provider = provider;
  if (values.type !== server.type) changes.type = values.type;
  if (!isSame(values.groups, server.groups)) changes.groups = [...values.groups];
  const auth = authOf(values);
  // A secret is sealed for the address that it is sent with.
  if (auth) Object.assign(changes, { host, port, user, auth });
  // Its password is forgotten, and its key remains.
  else if (server.has_password && values.method === 'made') changes.auth = null;
  return changes;
}

const isEmpty = (changes: EditServer) => Object.keys(changes).length === 1;

export function isChanged(server: Server | undefined, values: Values): boolean {
  if (server) return !isEmpty(changesOf(server, values));
  return values.groups.length > 0 || fields.some((field) => values[field].trim() !== '');
}

/** A password opens for the address that it was given for, and for no other. */
export function asksPassword(server: Server | undefined, values: Values): boolean {
  if (!server?.has_password || values.method !== 'password') return false;
  const { host, port, user } = changesOf(server, { ...values, password: '' });
  return host !== undefined || port !== undefined || user !== undefined;
}

function passwordFault(server: Server | undefined, values: Values): string | undefined {
  if (values.method !== 'password' || values.password !== '') return undefined;
  if (!server) return 'Saisissez un mot de passe, ou choisissez une clé.';
  if (asksPassword(server, values)) return movedPassword;
  return server.has_password ? undefined : 'Saisissez le mot de passe.';
}

/** What can be said before the server is asked. */
export function checkServer(server: Server | undefined, values: Values): Errors {
  const errors: Errors = {};
  for (const field of ['name', 'host'] as const) if (values[field].trim() === '') errors[field] = 'À renseigner.';
  const [password, privateKeyPem] = [passwordFault(server, values), keyFault(values, server !== undefined)];
  if (password !== undefined) errors.password = password;
  if (privateKeyPem !== undefined) errors.privateKeyPem = privateKeyPem;
  const issues = CreateServer.safeParse(creationOf(values)).error?.issues ?? [];
  for (const { path, message } of issues) {
    const field = fields.find((name) => name === path.at(-1));
    if (field) errors[field] ??= message;
  }
  return errors;
}

import { CreateServer, EditServer, type Server, type ServerType } from '@vigie/contracts/servers';
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

/** `made` is the key pair that Vigie generates for the server. */
type Method = 'password' | 'key' | 'made';
export type Values = Credentials & {
  name: string;
  host: string;
  port: string;
  user: string;
  provider: string;
  type: ServerType;
  groups: readonly string[];
  method: Method;
};
export const blank: Values = {
  name: '',
  host: '',
  port: '',
  user: '',
  provider: '',
  type: 'prod',
  groups: [],
  method: 'made',
  ...emptyCredentials,
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
  ...emptyCredentials,
});

export function creationOf(values: Values): CreateServer {
  const { name, host, user, provider, type, groups } = values;
  const auth = buildAuth(values);
  const address = { name, host, port: parsePort(values.port), user, provider, type };
  return { ...address, groups: [...groups], ...(auth && { auth }) };
}

/** Returns only the changed fields. */
export function changesOf(server: Server, values: Values): EditServer {
  const { name, host, port, user, provider } = creationOf(values);
  const edit = { id: server.id, name, host, port, user, provider, type: values.type };
  // The contract trims spaces and lowers the host, so that these are no change.
  const normalized = EditServer.safeParse(edit).data ?? edit;
  const changes: EditServer = { id: server.id };
  if (normalized.name !== server.name) changes.name = name;
  if (normalized.host !== server.host) changes.host = host;
  if (normalized.port !== server.port) changes.port = port;
  if (normalized.user !== server.user) changes.user = user;
  if (normalized.provider !== server.provider) changes.provider = provider;
  if (values.type !== server.type) changes.type = values.type;
  if (!hasSameIds(values.groups, server.groups)) changes.groups = [...values.groups];
  const auth = buildAuth(values);
  // A secret is sealed for the address that it is sent with.
  if (auth) Object.assign(changes, { host, port, user, auth });
  // Null drops the password; the server keeps its key.
  else if (server.has_password && values.method === 'made') changes.auth = null;
  return changes;
}

const isEmpty = (changes: EditServer) => Object.keys(changes).length === 1;

function textsOf(values: Values): string[] {
  const { type: _, groups: __, method: ___, ...texts } = values;
  return Object.values(texts);
}

export function isChanged(server: Server | undefined, values: Values): boolean {
  if (server) return !isEmpty(changesOf(server, values));
  return values.groups.length > 0 || textsOf(values).some((text) => text.trim() !== '');
}

/** A stored password is sealed for its address, so a new address needs the password again. */
export function needsPassword(server: Server | undefined, values: Values): boolean {
  if (!server?.has_password || values.method !== 'password') return false;
  const { host, port, user } = changesOf(server, { ...values, password: '' });
  return host !== undefined || port !== undefined || user !== undefined;
}

function passwordFault(server: Server | undefined, values: Values): string | undefined {
  if (values.method !== 'password' || values.password !== '') return undefined;
  if (!server) return 'Saisissez un mot de passe, ou choisissez une clé.';
  if (needsPassword(server, values)) return passwordNeededAgain;
  return server.has_password ? undefined : 'Saisissez le mot de passe.';
}

/** Finds the errors that need no request. */
export const checkServer = (server: Server | undefined, values: Values): FormErrors<Values> =>
  firstErrors<Values>(
    emptyErrors(values, ['name', 'host']),
    { password: passwordFault(server, values), privateKeyPem: privateKeyError(values, server !== undefined) },
    schemaErrors(CreateServer, values, creationOf(values)),
  );

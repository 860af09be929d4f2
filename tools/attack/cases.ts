import type { Random } from '../chaos/random';
import { fillPath, paramsIn, type Route, takesBody } from './routes';
import type { Field, Path } from './schemas';
import type { HostileRequest } from './send';
import { absent, type HostileValue, toJson, toQuery } from './values';

/** A valid request of the owner of its objects. */
export type Target = {
  route: Route;
  fields: readonly Field[];
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** An object, or the text of a form. */
  body: unknown;
  headers: Readonly<Record<string, string>>;
  /** Whether the request names an object with an owner. */
  isOwned: boolean;
  /** Whether its owner shares that object with the guest. */
  isShared: boolean;
};

export type Person = { name: string; headers: Readonly<Record<string, string>> };

export type CaseContext = {
  target: Target;
  person: Person;
  mayPass: boolean;
  random: Random;
  hostile: readonly HostileValue[];
};

const oddParams = [
  '',
  '.',
  '..',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%c0%ae%c0%ae',
  '%ED%A0%80',
  ';',
  '*',
  '%0d%0aset-cookie:a=1',
  'a'.repeat(513),
  '%E2%80%AEa',
];

/** Puts a hostile value into one field of a valid request. */
export function fieldCase(context: CaseContext): HostileRequest {
  const { target, random, hostile } = context;
  const { route } = target;
  const names = paramsIn(route.path);
  const { kind, value } = random.one(hostile);
  if (names.length > 0 && random.next() < 0.25) return paramCase(context, random.one(names), { kind, value });
  const freeFields = target.fields.filter(({ path }) => !names.includes(String(path[0])));
  const path = freeFields.length > 0 ? random.one(freeFields).path : ['inconnu'];
  return takesBody(route) ? bodyCase(context, path, { kind, value }) : queryCase(context, path, { kind, value });
}

/** Creates the valid request that other functions make hostile. */
export function validRequest({ target, person, mayPass }: CaseContext, kind: string): HostileRequest {
  const { route, params, query, body, headers } = target;
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    kind,
    routeKey: route.key,
    sender: person.name,
    mayPass,
    method: route.method,
    path: requestPath(route, params, Object.entries(query)),
    headers: { prefer: 'respond-async', ...type, ...headers, ...person.headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : toJson(body) }),
  };
}

export function requestPath(
  route: Pick<Route, 'path'>,
  params: Readonly<Record<string, string>>,
  query: readonly (readonly [string, unknown])[],
): string {
  const encoded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toQuery(value)]));
  const queryString = query.map(([name, value]) => `${toQuery(name)}=${toQuery(value)}`).join('&');
  return `${fillPath(route.path, encoded)}${queryString && `?${queryString}`}`;
}

function paramCase(context: CaseContext, name: string, { kind, value }: HostileValue): HostileRequest {
  const { target, random } = context;
  const isOdd = random.next() < 0.4 || value === absent;
  const encoded = Object.fromEntries(Object.entries(target.params).map(([other, text]) => [other, toQuery(text)]));
  // Overlong addresses are tested separately.
  const hostileValue = isOdd
    ? random.one(oddParams)
    : toQuery(value)
        .slice(0, 2_000)
        .replace(/%[0-9A-F]?$/, '');
  const [, queryString = ''] = validRequest(context, kind).path.split('?');
  const path = `${fillPath(target.route.path, { ...encoded, [name]: hostileValue })}${queryString && `?${queryString}`}`;
  // The path may lead to another route, so it may be granted.
  return { ...validRequest(context, isOdd ? 'adresse' : kind), path, mayPass: true };
}

function bodyCase(context: CaseContext, path: Path, { kind, value }: HostileValue): HostileRequest {
  const { body } = context.target;
  if (typeof body === 'string') return validRequest(context, kind);
  const hostileValue = setAtPath(body ?? {}, path, value);
  const request = validRequest(context, kind);
  return {
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: toJson(hostileValue),
  };
}

function queryCase(context: CaseContext, path: Path, { kind, value }: HostileValue): HostileRequest {
  const { route, params, query } = context.target;
  const name = String(path[0]);
  const rest = Object.entries(query).filter(([other]) => other !== name);
  const added: [string, unknown][] =
    value === absent
      ? []
      : Array.isArray(value)
        ? value.slice(0, 200).map((item) => [name, item])
        : [[name, truncate(value)]];
  return { ...validRequest(context, kind), path: requestPath(route, params, [...rest, ...added]) };
}

/** The whole address must stay within a few kilobytes. */
const truncate = (value: unknown) =>
  typeof value === 'string' && value.length > 3_000 ? value.slice(0, 3_000) : value;

export function setAtPath(root: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(root) ? [...root] : { ...Object(root) };
  const container = copy as Record<string | number, unknown>;
  const next =
    rest.length === 0 ? value : setAtPath(container[key] ?? (typeof rest[0] === 'number' ? [] : {}), rest, value);
  if (next === absent) delete container[key];
  else container[key] = next;
  return copy;
}

import type { Random } from '../chaos/random';
import { fill, paramsIn, type Route, takesBody } from './routes';
import type { Field, Path } from './schemas';
import type { Case } from './send';
import { absent, type Hostile, toJson, toQuery } from './values';

/** A request that its route takes, by whoever it belongs to. */
export type Target = {
  route: Route;
  fields: readonly Field[];
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** An object, or the text of a form. */
  body: unknown;
  headers: Readonly<Record<string, string>>;
  /** Whether it names what belongs to somebody. */
  isOwned: boolean;
};

export type Person = { name: string; headers: Readonly<Record<string, string>> };

/** All that a case is made with. */
export type Making = { target: Target; person: Person; mayPass: boolean; random: Random; hostile: readonly Hostile[] };

/** What stands in an address where a name of something should. */
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

/** One field of a request that is otherwise as it should be. */
export function fieldCase(making: Making): Case {
  const { target, random, hostile } = making;
  const { route } = target;
  const names = paramsIn(route.path);
  const { kind, value } = random.one(hostile);
  if (names.length > 0 && random.next() < 0.25) return paramCase(making, random.one(names), { kind, value });
  const open = target.fields.filter(({ path }) => !names.includes(String(path[0])));
  const path = open.length > 0 ? random.one(open).path : ['inconnu'];
  return takesBody(route) ? bodyCase(making, path, { kind, value }) : queryCase(making, path, { kind, value });
}

/** The request as its route takes it, to be spoiled elsewhere. */
export function honest({ target, person, mayPass }: Making, kind: string): Case {
  const { route, params, query, body, headers } = target;
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return {
    kind,
    aim: route.key,
    who: person.name,
    mayPass,
    method: route.method,
    path: addressOf(route, params, Object.entries(query)),
    headers: { prefer: 'respond-async', ...type, ...headers, ...person.headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : toJson(body) }),
  };
}

export function addressOf(
  route: Pick<Route, 'path'>,
  params: Readonly<Record<string, string>>,
  query: readonly (readonly [string, unknown])[],
): string {
  const encoded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, toQuery(value)]));
  const asked = query.map(([name, value]) => `${toQuery(name)}=${toQuery(value)}`).join('&');
  return `${fill(route.path, encoded)}${asked && `?${asked}`}`;
}

function paramCase(making: Making, name: string, { kind, value }: Hostile): Case {
  const { target, random } = making;
  const odd = random.next() < 0.4 || value === absent;
  const encoded = Object.fromEntries(Object.entries(target.params).map(([each, text]) => [each, toQuery(text)]));
  // Longer than any address is a kind of its own.
  const spoiled = odd
    ? random.one(oddParams)
    : toQuery(value)
        .slice(0, 2_000)
        .replace(/%[0-9A-F]?$/, '');
  const [, asked = ''] = honest(making, kind).path.split('?');
  const path = `${fill(target.route.path, { ...encoded, [name]: spoiled })}${asked && `?${asked}`}`;
  // It may name nothing, or lead to another route.
  return { ...honest(making, odd ? 'adresse' : kind), path, mayPass: true };
}

function bodyCase(making: Making, path: Path, { kind, value }: Hostile): Case {
  const { body } = making.target;
  if (typeof body === 'string') return honest(making, kind);
  const spoiled = changed(body ?? {}, path, value);
  const sent = honest(making, kind);
  return { ...sent, headers: { ...sent.headers, 'content-type': 'application/json' }, body: toJson(spoiled) };
}

function queryCase(making: Making, path: Path, { kind, value }: Hostile): Case {
  const { route, params, query } = making.target;
  const name = String(path[0]);
  const rest = Object.entries(query).filter(([each]) => each !== name);
  const added: [string, unknown][] =
    value === absent ? [] : Array.isArray(value) ? value.slice(0, 200).map((one) => [name, one]) : [[name, cut(value)]];
  return { ...honest(making, kind), path: addressOf(route, params, [...rest, ...added]) };
}

/** An address is a line of a few kilobytes at most. */
const cut = (value: unknown) => (typeof value === 'string' && value.length > 3_000 ? value.slice(0, 3_000) : value);

/** A copy with another value at one place. */
export function changed(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(whole) ? [...whole] : { ...Object(whole) };
  const held = copy as Record<string | number, unknown>;
  const next = rest.length === 0 ? value : changed(held[key] ?? (typeof rest[0] === 'number' ? [] : {}), rest, value);
  if (next === absent) delete held[key];
  else held[key] = next;
  return copy;
}

import { readFileSync } from 'node:fs';

type Route = { method: string; pattern: RegExp; path: string; statuses: ReadonlySet<string> };
type Paths = Record<string, Record<string, { responses: object }>>;

/** What the gateway answers before it knows the route, to any request: see `info.description` of the document. */
const anywhere = new Set(['405', '408', '414', '431']);

let routes: readonly Route[] | undefined;
const found = new Map<string, Route | undefined>();

/** Reads the document once for all requests of a process. */
function readRoutes(): readonly Route[] {
  const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Paths };
  return (
    Object.entries(paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => ({
          method: method.toUpperCase(),
          path,
          pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
          statuses: new Set(Object.keys(responses)),
        })),
      )
      // As in the router, a written segment goes before a parameter.
      .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)
  );
}

/** Why the status of an answer contradicts `docs/openapi.json`; undefined when it is declared, or the address unknown. */
export function undeclaredAnswer(method: string, address: string, status: number): string | undefined {
  const [path = ''] = address.split('?');
  const key = `${method} ${path}`;
  if (!found.has(key)) {
    routes ??= readRoutes();
    found.set(
      key,
      routes.find((route) => route.method === (method === 'HEAD' ? 'GET' : method) && route.pattern.test(path)),
    );
  }
  const route = found.get(key);
  if (!route || route.statuses.has(String(status)) || anywhere.has(String(status))) return undefined;
  return `${method} ${route.path} answered ${status}, which docs/openapi.json does not declare: describe it in apps/gateway/src/openapi/descriptions, then run npm run openapi`;
}

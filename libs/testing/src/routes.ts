import { randomUUID } from 'node:crypto';
import type { Access } from '@vigie/contracts/routes';
import type { TokenScope } from '@vigie/contracts/token-scopes';
import type { RequestParts } from './foreign-objects';
import type { TestProduct } from './product';

export type Route = { method: string; path: string; access: Access; scope: TokenScope | undefined; key: string };
export type Identity = { token?: string; headers?: Record<string, string> };

/** Every route of the gateway, as `/api/openapi.json` describes it. */
export async function readRoutes(product: TestProduct, token: string): Promise<Route[]> {
  const { body } = await product.request('GET', '/api/openapi.json', { token });
  const paths = body['paths'] as Record<string, Record<string, { 'x-access': Access; 'x-scope'?: TokenScope }>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { 'x-access': access, 'x-scope': scope }]) => {
      const method = name.toUpperCase();
      return { method, path, access, scope, key: `${method} ${path}` };
    }),
  );
}

/** Requests a route; parameters without a value are unknown ids. */
export function requestRoute(
  product: TestProduct,
  { method, path }: Route,
  identity: Identity,
  { params, query = '', headers, ...body }: RequestParts,
) {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? randomUUID()));
  return product.request(method, `${address}${query}`, {
    ...identity,
    headers: { ...headers, ...identity.headers },
    ...body,
  });
}

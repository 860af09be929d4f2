import { allContracts } from '@vigie/contracts/all';
import type { Contract } from '@vigie/contracts/contract';
import type { TestProduct } from '@vigie/testing/product';

/** A route of `/api/openapi.json`. */
export type Route = {
  key: string;
  method: string;
  /** The path with `{names}` of parameters. */
  path: string;
  access: string;
  contract: Contract | undefined;
  takesFile: boolean;
};

type Operation = { 'x-access': string; requestBody?: { content: object } };

export async function readRoutes(product: TestProduct, token: string): Promise<Route[]> {
  const { body } = await product.request('GET', '/api/openapi.json', { token });
  const paths = body['paths'] as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => {
      const method = name.toUpperCase();
      return {
        key: `${method} ${path}`,
        method,
        path,
        access: operation['x-access'],
        contract: contractOf(method, path),
        takesFile: 'multipart/form-data' in (operation.requestBody?.content ?? {}),
      };
    }),
  );
}

const contractOf = (method: string, path: string) =>
  allContracts.find(({ endpoints }) =>
    endpoints.some((each) => each.method === method && each.path.replaceAll(/:(\w+)/g, '{$1}') === path),
  );

export const takesBody = ({ method }: Pick<Route, 'method'>) => ['POST', 'PUT', 'PATCH'].includes(method);

export const paramsIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export const fillPath = (path: string, encoded: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded[name] ?? 'x');

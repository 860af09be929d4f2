import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestProduct } from '@vigie/testing/product';

type Operation = { operationId?: string; 'x-access': string; 'x-scope'?: string };
type Paths = Record<string, Record<string, Operation>>;

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.shared(['gateway', 'auth-svc']);
});
afterAll(() => product?.stop());

/** Programs depend on every route and its schemas, so a line of `openapi.txt` changes only on purpose: by hand, as the failure prints it. */
it('serves the routes and the OpenAPI document that are on record', async () => {
  const { body } = await product.request('GET', '/api/docs', { token: await product.login() });
  const { paths, info, ...document } = body as { paths: Paths; info: { title: string } };
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      [
        method.toUpperCase(),
        path,
        operation['x-access'],
        operation['x-scope'] ?? '-',
        operation.operationId ?? '-',
        hashOf(operation),
      ].join(' '),
    ),
  );
  const head = `${info.title} ${JSON.stringify(document)}`;
  await expect(`${[head, ...lines].join('\n')}\n`).toMatchFileSnapshot('./openapi.txt');
});

const hashOf = (operation: Operation) =>
  createHash('sha256').update(JSON.stringify(operation)).digest('hex').slice(0, 16);

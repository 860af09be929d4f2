import { expect, it, jest } from '@jest/globals';
import { listGroups } from '@vigie/contracts/groups';
import { DocsController } from './docs.controller';
import type { Route, RouteList } from './route-list';

const route: Route = {
  method: 'GET',
  path: '/api/groups/:id',
  handler: 'GroupsController.read',
  access: 'user',
  contract: listGroups,
  answer: undefined,
  takesFile: false,
};

it('describes the routes once, whoever asks and however often', () => {
  const all = jest.fn(() => [route]);
  const docs = new DocsController({ all } as unknown as RouteList);
  const text = docs.read();
  expect(docs.read()).toBe(text);
  expect(all).toHaveBeenCalledTimes(1);
  expect(JSON.parse(text)).toMatchObject({
    openapi: '3.1.0',
    paths: { '/api/groups/{id}': { get: { operationId: listGroups.name, parameters: [{ name: 'id', in: 'path' }] } } },
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Controller, Get, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { editGroup } from '@vigie/contracts/groups';
import { DocsController } from './docs.controller';
import { RouteList } from './route-list';
import { Allows, Serves } from './routes';

@Controller()
class GroupsController {
  @Serves(editGroup)
  edit() {}

  @Get('api/groups')
  @Allows('public')
  count() {}

  @Get('api/secrets')
  read() {}
}

@Module({ imports: [DiscoveryModule], controllers: [DocsController, GroupsController], providers: [RouteList] })
class Documented {}

let app: INestApplicationContext;
beforeAll(async () => {
  app = await NestFactory.createApplicationContext(Documented, { logger: false });
});
afterAll(() => app.close());

it('describes each route of the gateway by its policy and its contract', () => {
  expect(JSON.parse(app.get(DocsController).read())).toMatchObject({
    openapi: '3.1.0',
    paths: {
      '/api/docs': { get: { 'x-access': 'user', security: [{ bearer: [] }] } },
      '/api/groups': { get: { 'x-access': 'public', security: [] } },
      '/api/groups/{id}': {
        put: {
          operationId: editGroup.name,
          parameters: [{ name: 'id', in: 'path', required: true }],
          responses: { default: { content: { 'application/json': { schema: { type: 'object' } } } } },
        },
      },
    },
  });
});

it('names routes without a policy and contracts without their route, with which the gateway does not start', () => {
  const faults = app.get(RouteList).faults();
  expect(faults).toContain('GET /api/secrets (GroupsController.read) has no access policy');
  expect(faults).toContain('POST /api/groups is not served from its contract');
  // A handler at the same address does not count: it may let others in.
  expect(faults).toContain('GET /api/groups is not served from its contract');
  expect(faults).not.toContain('PUT /api/groups/:id is not served from its contract');
});

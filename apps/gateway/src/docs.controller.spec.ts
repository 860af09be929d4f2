import { afterAll, beforeAll, expect, it } from 'vitest';
import { Controller, Get, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { listGroups } from '@vigie/contracts/groups';
import { DocsController } from './docs.controller';
import { RouteList } from './route-list';
import { Allows, Calls } from './routes';

@Controller('api/groups')
class GroupsController {
  @Get(':id')
  @Calls(listGroups, 'user')
  read() {}

  @Get()
  @Allows('public')
  count() {}
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
        get: {
          operationId: listGroups.name,
          parameters: [{ name: 'id', in: 'path', required: true }],
          responses: { default: { content: { 'application/json': { schema: { type: 'array' } } } } },
        },
      },
    },
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { Controller, Get, type INestApplicationContext, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { editGroup } from '@vigie/contracts/groups';
import { OpenApiController } from './openapi/openapi.controller';
import { RouteList } from './route-list';
import { Serves } from './routes';

@Controller()
class GroupsController {
  @Serves(editGroup)
  edit() {}

  @Get('api/secrets')
  read() {}
}

@Module({ imports: [DiscoveryModule], controllers: [OpenApiController, GroupsController], providers: [RouteList] })
class Partial {}

let app: INestApplicationContext;
beforeAll(async () => {
  app = await NestFactory.createApplicationContext(Partial, { logger: false });
});
afterAll(() => app.close());

it('names routes without a policy and contracts without their route, with which the gateway does not start', () => {
  const faults = app.get(RouteList).faults();
  expect(faults).toContain('GET /api/secrets (GroupsController.read) has no access policy');
  expect(faults).toContain('POST /api/groups is not served from its contract');
  expect(faults).not.toContain('PUT /api/groups/:id is not served from its contract');
});

it('names routes that the OpenAPI document leaves out, and those that it makes up', () => {
  const faults = app.get(RouteList).faults();
  expect(faults).toContain('GET /api/secrets is not in the OpenAPI document');
  expect(faults).toContain('GET /api/health/live is described and not served');
  expect(faults.filter((fault) => /openapi|docs/.test(fault))).toEqual([]);
});

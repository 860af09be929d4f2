import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import {
  type CreateSite,
  createSite,
  deleteSite,
  type EditSite,
  editSite,
  inspectSite,
  listSiteIds,
  listSites,
  readHttpStatus,
  readInventory,
  readSite,
  SiteInventory,
  SiteItem,
  SiteTest,
  testSite,
  testSites,
  trustSiteKey,
} from '@vigie/contracts/sites';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { answerJob, answerTicket } from './job-answers';
import { answerList } from './list-answers';
import { Calls, Exchange, FromRequest } from './routes';

@Controller('api/sites')
export class SitesController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listSites, 'user', z.array(SiteItem))
  list(@FromRequest() input: Input<typeof listSites>, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerList(input, reply, (part) => this.bus.call(listSites, { ...input, ...part }));
  }

  @Get('ids')
  @Calls(listSiteIds, 'user')
  listIds(@FromRequest() input: Input<typeof listSiteIds>) {
    return this.bus.call(listSiteIds, input);
  }

  @Post()
  @HttpCode(201)
  @Calls(createSite, 'user')
  create(@FromRequest() input: CreateSite) {
    return this.bus.call(createSite, input);
  }

  /** Each test shows as a line in the dock, and the caller does not wait for all of them. */
  @Post('test')
  @HttpCode(202)
  @Calls(testSites, 'user')
  async testAll(@FromRequest() input: Input<typeof testSites>, @Exchange() exchange: Exchange) {
    return answerTicket(this.bus.call(testSites, input), exchange);
  }

  @Get(':id')
  @Calls(readSite, 'user')
  read(@FromRequest() input: Input<typeof readSite>) {
    return this.bus.call(readSite, input);
  }

  @Put(':id')
  @Calls(editSite, 'user')
  edit(@FromRequest() input: EditSite) {
    return this.bus.call(editSite, input);
  }

  @Delete(':id')
  @HttpCode(204)
  @Calls(deleteSite, 'user')
  async delete(@FromRequest() input: Input<typeof deleteSite>) {
    await this.bus.call(deleteSite, input);
  }

  @Post(':id/test')
  @HttpCode(200)
  @Calls(testSite, 'user', z.union([SiteTest, JobTicket]))
  async test(@FromRequest() input: Input<typeof testSite>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(testSite, input), exchange);
  }

  @Post(':id/trust')
  @HttpCode(200)
  @Calls(trustSiteKey, 'user')
  trust(@FromRequest() input: Input<typeof trustSiteKey>) {
    return this.bus.call(trustSiteKey, input);
  }

  /** The stored inventory; with `fresh`, after WordPress was inspected again. */
  @Get(':id/inventory')
  @Calls(readInventory, 'user', z.union([SiteInventory, JobTicket]))
  async inventory(@FromRequest() input: Input<typeof readInventory>, @Exchange() exchange: Exchange) {
    const readStored = () => this.bus.call(readInventory, { ...input, fresh: '0' });
    if (input.fresh === '0') return readStored();
    return answerJob(this.bus, this.bus.call(inspectSite, { id: input.id }), exchange, readStored);
  }

  @Get(':id/http_status')
  @Calls(readHttpStatus, 'user')
  httpStatus(@FromRequest() input: Input<typeof readHttpStatus>) {
    return this.bus.call(readHttpStatus, input);
  }
}

import { Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import {
  type CreateServer,
  createServer,
  deleteServer,
  type EditServer,
  editServer,
  listServers,
  readPublicKey,
  readServer,
  readStatus,
  readStatuses,
  Server,
  ServerTest,
  testServer,
  testServers,
  trustHostKey,
} from '@vigie/contracts/servers';
import { Discovery, discoverSites } from '@vigie/contracts/site-discovery';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerJob } from './job-answers';
import { answerList } from './list-answers';
import { Calls, FromRequest } from './routes';

@Controller('api/servers')
export class ServersController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listServers, 'user', z.array(Server))
  list(@FromRequest() input: Input<typeof listServers>, @Res({ passthrough: true }) reply: FastifyReply) {
    return answerList(input, reply, (part) => this.bus.call(listServers, { ...input, ...part }));
  }

  @Post()
  @HttpCode(201)
  @Calls(createServer, 'user')
  create(@FromRequest() input: CreateServer) {
    return this.bus.call(createServer, input);
  }

  @Get(':id')
  @Calls(readServer, 'user')
  read(@FromRequest() input: Input<typeof readServer>) {
    return this.bus.call(readServer, input);
  }

  @Put(':id')
  @Calls(editServer, 'user')
  edit(@FromRequest() input: EditServer) {
    return this.bus.call(editServer, input);
  }

  @Delete(':id')
  @HttpCode(204)
  @Calls(deleteServer, 'user')
  async delete(@FromRequest() input: Input<typeof deleteServer>) {
    await this.bus.call(deleteServer, input);
  }

  /** A line for each of them in the dock: nobody waits for all. */
  @Post('test')
  @HttpCode(202)
  @Calls(testServers, 'user')
  async testAll(@FromRequest() input: Input<typeof testServers>, @Res({ passthrough: true }) reply: FastifyReply) {
    const ticket = await this.bus.call(testServers, input);
    void reply.header('location', `/api/jobs/${ticket.job_id}`);
    return ticket;
  }

  @Post(':id/test')
  @HttpCode(200)
  @Calls(testServer, 'user', z.union([ServerTest, JobTicket]))
  async test(
    @FromRequest() input: Input<typeof testServer>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(testServer, input), request, reply);
  }

  @Post(':id/discover')
  @HttpCode(200)
  @Calls(discoverSites, 'user', z.union([Discovery, JobTicket]))
  async discover(
    @FromRequest() input: Input<typeof discoverSites>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(discoverSites, input), request, reply);
  }

  @Get(':id/pubkey')
  @Calls(readPublicKey, 'user')
  pubkey(@FromRequest() input: Input<typeof readPublicKey>) {
    return this.bus.call(readPublicKey, input);
  }

  @Get('statuses')
  @Calls(readStatuses, 'user')
  statuses(@FromRequest() { ids, fresh }: Input<typeof readStatuses>) {
    return this.bus.call(readStatuses, { ids: ids.join(','), fresh });
  }

  @Get(':id/status')
  @Calls(readStatus, 'user')
  status(@FromRequest() input: Input<typeof readStatus>) {
    return this.bus.call(readStatus, input);
  }

  @Post(':id/trust')
  @HttpCode(200)
  @Calls(trustHostKey, 'user')
  trust(@FromRequest() input: Input<typeof trustHostKey>) {
    return this.bus.call(trustHostKey, input);
  }
}

import { Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
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
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { answerJob, answerTicket } from './job-answers';
import { answerList } from './list-answers';
import { Calls, Exchange, FromRequest } from './routes';

@Controller('api/servers')
export class ServersController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(listServers, 'user', z.array(Server))
  list(@FromRequest() input: Input<typeof listServers>, @Res({ passthrough: true }) reply: FastifyReply) {
    // A full list is read in parts. Sorted by name, a server that goes down between two parts keeps its position.
    const sort = input.sort ?? (input.limit === undefined ? 'name' : undefined);
    return answerList(input, reply, async (part) => {
      const answer = await this.bus.call(listServers, { ...input, sort, ...part });
      if (answer.offline !== undefined) void reply.header('x-offline-count', answer.offline);
      return answer;
    });
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

  /** Each test shows as a line in the dock, and the caller does not wait for all of them. */
  @Post('test')
  @HttpCode(202)
  @Calls(testServers, 'user')
  async testAll(@FromRequest() input: Input<typeof testServers>, @Exchange() exchange: Exchange) {
    return answerTicket(this.bus.call(testServers, input), exchange);
  }

  @Post(':id/test')
  @HttpCode(200)
  @Calls(testServer, 'user', z.union([ServerTest, JobTicket]))
  async test(@FromRequest() input: Input<typeof testServer>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(testServer, input), exchange);
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

import { Controller, Get, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { readServersHealth } from '@vigie/contracts/server-health';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply } from 'fastify';
import { answerEnvelope } from './list-answers';
import { Calls, FromRequest } from './routes';

@Controller('api/servers/health')
export class ServerHealthController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(readServersHealth, 'user')
  read(
    @FromRequest() { ids, ...input }: Input<typeof readServersHealth>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const query = { ...input, ...(ids && { ids: ids.join(',') }) };
    return answerEnvelope('items', input, reply, (part) => this.bus.call(readServersHealth, { ...query, ...part }));
  }
}

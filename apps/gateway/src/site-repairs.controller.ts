import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import { lookForRepairs, repairSite, SiteRepairs } from '@vigie/contracts/site-repairs';
import { Bus } from '@vigie/service-kit/bus';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerJob } from './job-answers';
import { Calls, FromRequest } from './routes';

@Controller('api/sites/:id/repairs')
export class SiteRepairsController {
  constructor(private readonly bus: Bus) {}

  @Post('look')
  @HttpCode(200)
  @Calls(lookForRepairs, 'user', z.union([SiteRepairs, JobTicket]))
  async look(
    @FromRequest() input: Input<typeof lookForRepairs>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(lookForRepairs, input), request, reply);
  }

  @Post()
  @HttpCode(200)
  @Calls(repairSite, 'user', z.union([SiteRepairs, JobTicket]))
  async repair(
    @FromRequest() input: Input<typeof repairSite>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(repairSite, input), request, reply);
  }
}

import { Controller, HttpCode, Post } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import { checkForRepairs, repairSite, SiteRepairs } from '@vigie/contracts/site-repairs';
import { Bus } from '@vigie/service-kit/bus';
import { z } from 'zod';
import { answerJob } from './job-answers';
import { Calls, Exchange, FromRequest } from './routes';

@Controller('api/sites/:id/repairs')
export class SiteRepairsController {
  constructor(private readonly bus: Bus) {}

  @Post('look')
  @HttpCode(200)
  @Calls(checkForRepairs, 'user', z.union([SiteRepairs, JobTicket]))
  async look(@FromRequest() input: Input<typeof checkForRepairs>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(checkForRepairs, input), exchange);
  }

  @Post()
  @HttpCode(200)
  @Calls(repairSite, 'user', z.union([SiteRepairs, JobTicket]))
  async repair(@FromRequest() input: Input<typeof repairSite>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(repairSite, input), exchange);
  }
}

import { Controller, HttpCode, Post } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import { Discovery, discoverSites, importSites } from '@vigie/contracts/site-discovery';
import { Bus } from '@vigie/service-kit/bus';
import { z } from 'zod';
import { answerJob } from './job-answers';
import { Calls, Exchange, FromRequest } from './routes';

@Controller('api')
export class SiteDiscoveryController {
  constructor(private readonly bus: Bus) {}

  @Post('servers/:id/discover')
  @HttpCode(200)
  @Calls(discoverSites, 'user', z.union([Discovery, JobTicket]))
  async discover(@FromRequest() input: Input<typeof discoverSites>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(discoverSites, input), exchange);
  }

  @Post('sites/import')
  @HttpCode(201)
  @Calls(importSites, 'user')
  import(@FromRequest() input: Input<typeof importSites>) {
    return this.bus.call(importSites, input);
  }
}

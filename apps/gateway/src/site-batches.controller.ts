import { Controller, HttpCode, Post } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { backupSites, deleteSites, groupSites, planSiteBatch } from '@vigie/contracts/site-batches';
import { Bus } from '@vigie/service-kit/bus';
import { answerTicket } from './job-answers';
import { Calls, Exchange, FromRequest } from './routes';

/** Tests of several sites are `POST /api/sites/test`, their updates `POST /api/updates`. */
@Controller('api/sites/batches')
export class SiteBatchesController {
  constructor(private readonly bus: Bus) {}

  @Post('plan')
  @HttpCode(200)
  @Calls(planSiteBatch, 'user')
  plan(@FromRequest() input: Input<typeof planSiteBatch>) {
    return this.bus.call(planSiteBatch, input);
  }

  @Post('backup')
  @HttpCode(202)
  @Calls(backupSites, 'user')
  async backup(@FromRequest() input: Input<typeof backupSites>, @Exchange() exchange: Exchange) {
    return answerTicket(this.bus.call(backupSites, input), exchange);
  }

  @Post('group')
  @HttpCode(200)
  @Calls(groupSites, 'user')
  group(@FromRequest() input: Input<typeof groupSites>) {
    return this.bus.call(groupSites, input);
  }

  @Post('delete')
  @HttpCode(200)
  @Calls(deleteSites, 'user')
  delete(@FromRequest() input: Input<typeof deleteSites>) {
    return this.bus.call(deleteSites, input);
  }
}

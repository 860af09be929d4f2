import { Controller } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { inspectSite, readInventory } from '@vigie/contracts/site-inventory';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { refuseMissingScope } from './auth.guard';
import { answerJob } from './job-answers';
import { Exchange, FromRequest, Serves } from './routes';

@Controller()
export class InventoryController {
  constructor(private readonly bus: Bus) {}

  /** The stored inventory; with `fresh`, after WordPress was inspected again. */
  @Serves(readInventory)
  async read(@FromRequest() input: Input<typeof readInventory>, @Exchange() exchange: Exchange) {
    const readStored = () => this.bus.call(readInventory, { ...input, fresh: '0' });
    if (input.fresh === '0') return readStored();
    refuseMissingScope(currentUser(), inspectSite);
    return answerJob(this.bus, this.bus.call(inspectSite, { id: input.id }), exchange, readStored);
  }
}

import { Controller, HttpCode, Post } from '@nestjs/common';
import {
  activateItem,
  applyInstalls,
  applyUpdates,
  ChangeOutcome,
  coreSlug,
  deactivateItem,
  installUpload,
  planInstalls,
  planUpdates,
  restoreItem,
  updateItem,
  updateItems,
} from '@vigie/contracts/changes';
import type { Input } from '@vigie/contracts/contract';
import { JobTicket } from '@vigie/contracts/jobs';
import { Bus } from '@vigie/service-kit/bus';
import { z } from 'zod';
import { answerJob, answerTicket } from './job-answers';
import { Calls, Exchange, FromRequest } from './routes';

const Answer = z.union([ChangeOutcome, JobTicket]);
const core = { kind: 'core', slug: coreSlug };

/** Single changes of a site, whose end the caller may wait for. */
@Controller('api/sites/:id')
export class ChangesController {
  constructor(private readonly bus: Bus) {}

  @Post('plugins/install')
  @HttpCode(200)
  @Calls(installUpload, 'user', Answer)
  async installPlugin(
    @FromRequest({ kind: 'plugin' }) input: Input<typeof installUpload>,
    @Exchange() exchange: Exchange,
  ) {
    return answerJob(this.bus, this.bus.call(installUpload, input), exchange);
  }

  @Post('plugins/activate')
  @HttpCode(200)
  @Calls(activateItem, 'user', Answer)
  async activatePlugin(
    @FromRequest({ kind: 'plugin' }) input: Input<typeof activateItem>,
    @Exchange() exchange: Exchange,
  ) {
    return answerJob(this.bus, this.bus.call(activateItem, input), exchange);
  }

  @Post('plugins/update')
  @HttpCode(200)
  @Calls(updateItem, 'user', Answer)
  async updatePlugin(@FromRequest({ kind: 'plugin' }) input: Input<typeof updateItem>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(updateItem, input), exchange);
  }

  @Post('plugins/deactivate')
  @HttpCode(200)
  @Calls(deactivateItem, 'user', Answer)
  async deactivatePlugin(@FromRequest() input: Input<typeof deactivateItem>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(deactivateItem, input), exchange);
  }

  @Post('plugins/restore')
  @HttpCode(200)
  @Calls(restoreItem, 'user', Answer)
  async restorePlugin(
    @FromRequest({ kind: 'plugin' }) input: Input<typeof restoreItem>,
    @Exchange() exchange: Exchange,
  ) {
    return answerJob(this.bus, this.bus.call(restoreItem, input), exchange);
  }

  @Post('themes/install')
  @HttpCode(200)
  @Calls(installUpload, 'user', Answer)
  async installTheme(
    @FromRequest({ kind: 'theme' }) input: Input<typeof installUpload>,
    @Exchange() exchange: Exchange,
  ) {
    return answerJob(this.bus, this.bus.call(installUpload, input), exchange);
  }

  @Post('themes/activate')
  @HttpCode(200)
  @Calls(activateItem, 'user', Answer)
  async activateTheme(
    @FromRequest({ kind: 'theme' }) input: Input<typeof activateItem>,
    @Exchange() exchange: Exchange,
  ) {
    return answerJob(this.bus, this.bus.call(activateItem, input), exchange);
  }

  @Post('themes/update')
  @HttpCode(200)
  @Calls(updateItem, 'user', Answer)
  async updateTheme(@FromRequest({ kind: 'theme' }) input: Input<typeof updateItem>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(updateItem, input), exchange);
  }

  @Post('themes/restore')
  @HttpCode(200)
  @Calls(restoreItem, 'user', Answer)
  async restoreTheme(@FromRequest({ kind: 'theme' }) input: Input<typeof restoreItem>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(restoreItem, input), exchange);
  }

  @Post('core/update')
  @HttpCode(200)
  @Calls(updateItem, 'user', Answer)
  async updateCore(@FromRequest(core) input: Input<typeof updateItem>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(updateItem, input), exchange);
  }

  @Post('core/restore')
  @HttpCode(200)
  @Calls(restoreItem, 'user', Answer)
  async restoreCore(@FromRequest(core) input: Input<typeof restoreItem>, @Exchange() exchange: Exchange) {
    return answerJob(this.bus, this.bus.call(restoreItem, input), exchange);
  }
}

/** Bulk changes: each shows as a line in the dock, and the caller does not wait for all of them. */
@Controller('api')
export class BulkChangesController {
  constructor(private readonly bus: Bus) {}

  @Post('sites/:id/updates')
  @HttpCode(202)
  @Calls(updateItems, 'user')
  async updateItems(@FromRequest() input: Input<typeof updateItems>, @Exchange() exchange: Exchange) {
    return answerTicket(this.bus.call(updateItems, input), exchange);
  }

  @Post('updates')
  @HttpCode(202)
  @Calls(applyUpdates, 'user')
  async applyUpdates(@FromRequest() input: Input<typeof applyUpdates>, @Exchange() exchange: Exchange) {
    return answerTicket(this.bus.call(applyUpdates, input), exchange);
  }

  @Post('uploads/:upload_id/install')
  @HttpCode(202)
  @Calls(applyInstalls, 'user')
  async applyInstalls(@FromRequest() input: Input<typeof applyInstalls>, @Exchange() exchange: Exchange) {
    return answerTicket(this.bus.call(applyInstalls, input), exchange);
  }

  @Post('updates/plan')
  @HttpCode(200)
  @Calls(planUpdates, 'user')
  planUpdates(@FromRequest() input: Input<typeof planUpdates>) {
    return this.bus.call(planUpdates, input);
  }

  @Post('uploads/:upload_id/install/plan')
  @HttpCode(200)
  @Calls(planInstalls, 'user')
  planInstalls(@FromRequest() input: Input<typeof planInstalls>) {
    return this.bus.call(planInstalls, input);
  }
}

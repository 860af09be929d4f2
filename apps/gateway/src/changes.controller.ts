import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  activateItem,
  applyInstalls,
  applyUpdates,
  ChangeDone,
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
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerJob } from './job-answers';
import { Calls, FromRequest } from './routes';

const Answer = z.union([ChangeDone, JobTicket]);
const core = { kind: 'core', slug: coreSlug };

/** Changes of a site one by one: whoever asked may wait for the end of it. */
@Controller('api/sites/:id')
export class ChangesController {
  constructor(private readonly bus: Bus) {}

  @Post('plugins/install')
  @HttpCode(200)
  @Calls(installUpload, 'user', Answer)
  async installPlugin(
    @FromRequest({ kind: 'plugin' }) input: Input<typeof installUpload>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(installUpload, input), request, reply);
  }

  @Post('plugins/activate')
  @HttpCode(200)
  @Calls(activateItem, 'user', Answer)
  async activatePlugin(
    @FromRequest({ kind: 'plugin' }) input: Input<typeof activateItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(activateItem, input), request, reply);
  }

  @Post('plugins/update')
  @HttpCode(200)
  @Calls(updateItem, 'user', Answer)
  async updatePlugin(
    @FromRequest({ kind: 'plugin' }) input: Input<typeof updateItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(updateItem, input), request, reply);
  }

  @Post('plugins/deactivate')
  @HttpCode(200)
  @Calls(deactivateItem, 'user', Answer)
  async deactivatePlugin(
    @FromRequest() input: Input<typeof deactivateItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(deactivateItem, input), request, reply);
  }

  @Post('plugins/restore')
  @HttpCode(200)
  @Calls(restoreItem, 'user', Answer)
  async restorePlugin(
    @FromRequest({ kind: 'plugin' }) input: Input<typeof restoreItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(restoreItem, input), request, reply);
  }

  @Post('themes/install')
  @HttpCode(200)
  @Calls(installUpload, 'user', Answer)
  async installTheme(
    @FromRequest({ kind: 'theme' }) input: Input<typeof installUpload>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(installUpload, input), request, reply);
  }

  @Post('themes/activate')
  @HttpCode(200)
  @Calls(activateItem, 'user', Answer)
  async activateTheme(
    @FromRequest({ kind: 'theme' }) input: Input<typeof activateItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(activateItem, input), request, reply);
  }

  @Post('themes/update')
  @HttpCode(200)
  @Calls(updateItem, 'user', Answer)
  async updateTheme(
    @FromRequest({ kind: 'theme' }) input: Input<typeof updateItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(updateItem, input), request, reply);
  }

  @Post('themes/restore')
  @HttpCode(200)
  @Calls(restoreItem, 'user', Answer)
  async restoreTheme(
    @FromRequest({ kind: 'theme' }) input: Input<typeof restoreItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(restoreItem, input), request, reply);
  }

  @Post('core/update')
  @HttpCode(200)
  @Calls(updateItem, 'user', Answer)
  async updateCore(
    @FromRequest(core) input: Input<typeof updateItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(updateItem, input), request, reply);
  }

  @Post('core/restore')
  @HttpCode(200)
  @Calls(restoreItem, 'user', Answer)
  async restoreCore(
    @FromRequest(core) input: Input<typeof restoreItem>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return answerJob(this.bus, await this.bus.call(restoreItem, input), request, reply);
  }
}

/** Many of them: a line for each in the dock, and nobody waits for all. */
@Controller('api')
export class BulkChangesController {
  constructor(private readonly bus: Bus) {}

  @Post('sites/:id/updates')
  @HttpCode(202)
  @Calls(updateItems, 'user')
  async updateItems(@FromRequest() input: Input<typeof updateItems>, @Res({ passthrough: true }) reply: FastifyReply) {
    return accepted(await this.bus.call(updateItems, input), reply);
  }

  @Post('updates')
  @HttpCode(202)
  @Calls(applyUpdates, 'user')
  async applyUpdates(
    @FromRequest() input: Input<typeof applyUpdates>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return accepted(await this.bus.call(applyUpdates, input), reply);
  }

  @Post('uploads/:upload_id/install')
  @HttpCode(202)
  @Calls(applyInstalls, 'user')
  async applyInstalls(
    @FromRequest() input: Input<typeof applyInstalls>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return accepted(await this.bus.call(applyInstalls, input), reply);
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

function accepted(ticket: JobTicket, reply: FastifyReply): JobTicket {
  void reply.header('location', `/api/jobs/${ticket.job_id}`);
  return ticket;
}

import { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { exportPlugins, readPlugins, readPluginSites, retryFailures } from '@vigie/contracts/plugins';
import { Bus } from '@vigie/service-kit/bus';
import { runInContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerTicket } from '../job-answers';
import { Calls, Exchange, FromRequest } from '../routes';
import { byteOrderMark, csvLine, pluginFields, pluginHeads } from './csv';

/** Whoever does not read for this long has gone. */
const stalledMs = 60_000;

@Controller('api/plugins/overview')
export class PluginsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @Calls(readPlugins, 'user')
  read(@FromRequest() input: Input<typeof readPlugins>) {
    return this.bus.call(readPlugins, input);
  }

  /** A file of all there are, as it is read: nobody holds it whole. */
  @Get('export')
  @Calls(exportPlugins, 'user', z.string())
  async export(
    @FromRequest() input: Input<typeof exportPlugins>,
    @Req() { context }: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const ask = (after: Input<typeof exportPlugins>['after']) =>
      runInContext(context, () => this.bus.call(exportPlugins, { ...input, after }));
    // A refusal is an answer as others are, as long as nothing was sent.
    const first = await ask(input.after);
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    void reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="plugins.csv"',
      })
      .send(Readable.from(linesOf(first, ask), { objectMode: false }));
  }

  @Get(':slug/sites')
  @Calls(readPluginSites, 'user')
  readSites(@FromRequest() input: Input<typeof readPluginSites>) {
    return this.bus.call(readPluginSites, input);
  }

  @Post('retry')
  @HttpCode(202)
  @Calls(retryFailures, 'user')
  async retry(@FromRequest() input: Input<typeof retryFailures>, @Exchange() exchange: Exchange) {
    return answerTicket(this.bus.call(retryFailures, input), exchange);
  }
}

type Part = Output<typeof exportPlugins>;

async function* linesOf(first: Part, ask: (after: NonNullable<Part['next']>) => Promise<Part>) {
  yield byteOrderMark + csvLine(pluginHeads);
  for (let part = first; ; part = await ask(part.next)) {
    yield part.lines.map((line) => csvLine(pluginFields(line))).join('');
    if (part.next === null) return;
  }
}

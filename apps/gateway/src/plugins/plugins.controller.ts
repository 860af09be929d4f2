import { Readable } from 'node:stream';
import { Controller, Req, Res } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { exportPlugins } from '@vigie/contracts/plugins';
import { Bus } from '@vigie/service-kit/bus';
import { runInContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FromRequest, Serves } from '../routes';
import { byteOrderMark, csvLine, pluginFields, pluginHeads } from './csv';

/** A client that reads nothing for that long is gone. */
const stalledMs = 60_000;

@Controller()
export class PluginsController {
  constructor(private readonly bus: Bus) {}

  /** Streams a CSV file of all plugins, without holding it in memory. */
  @Serves(exportPlugins)
  async export(
    @FromRequest() input: Input<typeof exportPlugins>,
    @Req() { context }: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    const fetchPart = (after: Input<typeof exportPlugins>['after']) =>
      runInContext(context, () => this.bus.call(exportPlugins, { ...input, after }));
    // The first part is fetched before anything is sent, so that a refusal can still be answered.
    const first = await fetchPart(input.after);
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    void reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="plugins.csv"',
      })
      .send(Readable.from(linesOf(first, fetchPart), { objectMode: false }));
  }
}

type Part = Output<typeof exportPlugins>;

async function* linesOf(first: Part, fetchPart: (after: NonNullable<Part['next']>) => Promise<Part>) {
  yield byteOrderMark + csvLine(pluginHeads);
  for (let part = first; ; part = await fetchPart(part.next)) {
    yield part.lines.map((line) => csvLine(pluginFields(line))).join('');
    if (part.next === null) return;
  }
}

import { Controller, Req, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { exportSites } from '@vigie/contracts/site-csv';
import { Bus } from '@vigie/service-kit/bus';
import { runInContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyCsv } from '../csv-reply';
import { FromRequest, Serves } from '../routes';
import { exportFields, exportHeads } from './export-fields';

type Cursor = NonNullable<Input<typeof exportSites>['after']>;

@Controller()
export class SiteCsvController {
  constructor(private readonly bus: Bus) {}

  /** Answers with a CSV file of sites, named by its date. */
  @Serves(exportSites)
  async export(
    @FromRequest() input: Input<typeof exportSites>,
    @Req() { context }: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await replyCsv(reply, {
      filename: `sites-${new Date().toISOString().slice(0, 10)}.csv`,
      heads: exportHeads,
      fieldsOf: exportFields,
      fetchPart: (after: Cursor | undefined = input.after) =>
        runInContext(context, () => this.bus.call(exportSites, { ...input, after })),
    });
  }
}

import { Controller, Req, Res } from '@nestjs/common';
import type { Input, Output } from '@vigie/contracts/contract';
import { exportChosenSites, exportSites } from '@vigie/contracts/site-csv';
import { Bus } from '@vigie/service-kit/bus';
import { runInContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyCsv } from '../csv-reply';
import { FromRequest, Serves } from '../routes';
import { exportFields, exportHeads } from './export-fields';

type Part = Output<typeof exportSites>;
type Cursor = NonNullable<Part['next']>;

/** Answers with CSV files of sites. */
@Controller()
export class SiteCsvController {
  constructor(private readonly bus: Bus) {}

  @Serves(exportSites)
  async export(
    @FromRequest() input: Input<typeof exportSites>,
    @Req() { context }: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await replySites(reply, (after = input.after) =>
      runInContext(context, () => this.bus.call(exportSites, { ...input, after })),
    );
  }

  @Serves(exportChosenSites)
  async exportChosen(
    @FromRequest() input: Input<typeof exportChosenSites>,
    @Req() { context }: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await replySites(reply, (after = input.after) =>
      runInContext(context, () => this.bus.call(exportChosenSites, { ...input, after })),
    );
  }
}

/** The file is named by its date. */
const replySites = (reply: FastifyReply, fetchPart: (after?: Cursor) => Promise<Part>) =>
  replyCsv(reply, {
    filename: `sites-${new Date().toISOString().slice(0, 10)}.csv`,
    heads: exportHeads,
    fieldsOf: exportFields,
    fetchPart,
  });

import { Controller, Req, Res } from '@nestjs/common';
import type { Input } from '@vigie/contracts/contract';
import { exportPlugins } from '@vigie/contracts/plugins';
import { Bus } from '@vigie/service-kit/bus';
import { runInContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyCsv } from '../csv-reply';
import { FromRequest, Serves } from '../routes';
import { pluginFields, pluginHeads } from './export-fields';

type Cursor = NonNullable<Input<typeof exportPlugins>['after']>;

@Controller()
export class PluginsController {
  constructor(private readonly bus: Bus) {}

  /** Answers with a CSV file of all plugins. */
  @Serves(exportPlugins)
  async export(
    @FromRequest() input: Input<typeof exportPlugins>,
    @Req() { context }: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await replyCsv(reply, {
      filename: 'plugins.csv',
      heads: pluginHeads,
      fieldsOf: pluginFields,
      fetchPart: (after: Cursor | undefined = input.after) =>
        runInContext(context, () => this.bus.call(exportPlugins, { ...input, after })),
    });
  }
}

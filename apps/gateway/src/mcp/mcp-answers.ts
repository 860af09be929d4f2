import type { Bus } from '@vigie/service-kit/bus';
import type { Log } from '@vigie/service-kit/log';
import type { McpExchange } from './mcp-server';

/** Loads the protocol's package with the first message: most installations never use it. */
export class McpAnswers {
  constructor(
    private readonly bus: Bus,
    private readonly log: Log,
  ) {}

  async answer(exchange: McpExchange): Promise<Response> {
    const { answerMcp } = await import('./mcp-server');
    return answerMcp(this.bus, this.log, exchange);
  }
}

import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { release } from '@vigie/contracts/release';
import type { Bus } from '@vigie/service-kit/bus';
import { type Context, runInContext } from '@vigie/service-kit/context';
import { toAnswer } from '@vigie/service-kit/failures';
import type { Log } from '@vigie/service-kit/log';
import { callTool, listTools, markUntrusted, type ToolAnswer } from './tools';
import { untrustedNote } from './untrusted-text';

const instructions =
  'Vigie runs a fleet of WordPress sites. Tools that read answer at once. No tool changes a site: those named propose_… store a ' +
  `plan that a person confirms in Vigie within an hour. ${untrustedNote}`;

/** The protocol's package only needs some address to make a request of. */
const url = 'http://localhost/api/mcp';

export type McpExchange = { headers: Headers; body: object; context: Context };

/** Answers one message. Nothing is kept between two of them, so that any replica may answer the next one. */
export function answerMcp(bus: Bus, log: Log, { headers, body, context }: McpExchange): Promise<Response> {
  const onerror = (err: Error) =>
    log.warn({ err, requestId: context.requestId }, 'an MCP message failed or was refused');
  const handler = createMcpHandler(() => makeServer(bus, log, context), { onerror, keepAliveMs: 0 });
  return handler.fetch(new Request(url, { method: 'POST', headers }), { parsedBody: body });
}

function makeServer(bus: Bus, log: Log, context: Context): Server {
  const server = new Server(
    { name: 'vigie', title: 'Vigie', version: release.slice(1) },
    { capabilities: { tools: {} }, instructions },
  );
  // A handler may run outside the asynchronous context of its request.
  server.setRequestHandler('tools/list', () => runInContext(context, () => ({ tools: listTools() })));
  server.setRequestHandler('tools/call', ({ params }) =>
    runInContext(context, async () => {
      try {
        return toResult(await callTool(bus, params.name, params.arguments), false);
      } catch (error) {
        const { code, detail } = toAnswer(error, log, context.requestId);
        // A failure may quote a host.
        return toResult({ note: untrustedNote, code, ...markUntrusted({ detail }) }, true);
      }
    }),
  );
  return server;
}

const toResult = (answer: ToolAnswer, isError: boolean) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(answer) }],
  structuredContent: answer,
  isError,
});

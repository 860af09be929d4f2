import type { TestProduct } from '@vigie/testing/product';
import type { Random } from '../chaos/random';
import { fr } from '../terminal';
import { ownerName } from './people';
import type { Report } from './report';
import type { HttpAnswer, HostileRequest } from './send';
import type { Stage } from './stage';
import { changedTables, readSettledTables } from './tables';
import { absent, type HostileValue, toJson } from './values';

const [shortCount, longCount] = [60, 600];
const path = '/api/mcp';
const accept = 'application/json, text/event-stream';
const contentType = 'application/json';

/** All that a tool may write; and tickets of consoles, which expire by themselves. */
const isExpected = /^sites\.(?:proposals|console_tickets)\b/;

type Tool = { name: string; inputSchema: { properties?: Record<string, unknown> } };
type Sender = (cases: readonly HostileRequest[]) => Promise<HttpAnswer[]>;

/** Speaks to the assistants' address as an assistant that hostile text has taken over, and looks whether anything changed. */
export async function attackMcp(
  stage: Stage,
  { random, report, isShort }: { random: Random; report: Report; isShort: boolean },
  sendAll: Sender,
): Promise<void> {
  const { product } = stage;
  const token = await makeToken(product, stage.people.token(ownerName));
  const tools = await readTools(product, token);
  if (tools.length === 0) report.addFinding(fr`mcp : aucun outil`);
  const cases = Array.from({ length: isShort ? shortCount : longCount }, () =>
    hostileMessage(random, tools, stage.hostile),
  );
  const before = await readSettledTables(product);
  await sendAll(
    cases.map((message) => ({ ...message, headers: { ...message.headers, authorization: `Bearer ${token}` } })),
  );
  const changed = changedTables(before, await readSettledTables(product)).filter((line) => !isExpected.test(line));
  for (const line of changed) report.addFinding(fr`mcp : ${line}`);
}

async function makeToken(product: TestProduct, session: string): Promise<string> {
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const wish = {
    name: 'assistant',
    scopes: ['read', 'backup', 'restore', 'update', 'dns', 'run'],
    expires_at: expires,
  };
  const { body, text } = await product.request('POST', '/api/tokens', { token: session, body: wish });
  if (typeof body['token'] !== 'string') throw new Error(text);
  return body['token'];
}

async function readTools(product: TestProduct, token: string): Promise<Tool[]> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const { text } = await product.request('POST', path, { token, headers: { accept }, body: message });
  const [json = ''] = /\{.*\}/.exec(text) ?? [];
  return (JSON.parse(json) as { result: { tools: Tool[] } }).result.tools;
}

function hostileMessage(random: Random, tools: readonly Tool[], hostile: readonly HostileValue[]): HostileRequest {
  const { kind, value } = random.one(hostile);
  const tool = random.one(tools);
  const names = Object.keys(tool.inputSchema.properties ?? {});
  const given = names.length > 0 && value !== absent ? { [random.one(names)]: value } : {};
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: given } };
  const bodies: readonly (readonly [string, string])[] = [
    [kind, toJson(message)],
    [kind, toJson(message)],
    [kind, toJson(message)],
    ['mcp : outil', toJson({ ...message, params: { name: value === absent ? 1 : value, arguments: given } })],
    [
      'mcp : méthode',
      toJson({ ...message, method: random.one(['__proto__', 'initialize', 'resources/read', 'subscriptions/listen']) }),
    ],
    ['mcp : lot', toJson(Array.from({ length: 50 }, () => message))],
    [
      'mcp : message',
      random.one(['[]', '{}', 'null', '1', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":{},"method":1}', '{"id":1']),
    ],
    ['mcp : taille', toJson({ ...message, params: { ...message.params, filler: 'x'.repeat(300_000) } })],
  ];
  const [name, body] = random.one(bodies);
  const headers = { accept: random.next() < 0.9 ? accept : 'text/html', 'content-type': contentType };
  return {
    kind: name,
    routeKey: `POST ${path}`,
    sender: ownerName,
    mayPass: true,
    method: 'POST',
    path,
    headers,
    body,
  };
}

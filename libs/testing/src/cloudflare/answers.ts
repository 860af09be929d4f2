import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorData } from 'cloudflare/resources/shared';

/** A refusal with Cloudflare's own code and message. */
export class CloudflareRefusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
  }

  /** Cloudflare wraps refusals of records in a "DNS Validation Error". */
  get errors(): (ErrorData & { error_chain?: ErrorData[] })[] {
    const entry = { code: this.code, message: this.message };
    const isRecordError = this.code >= 9000 && this.code < 9100;
    return isRecordError ? [{ code: 1004, message: 'DNS Validation Error', error_chain: [entry] }] : [entry];
  }
}

export type FakeRequest = { method: string; path: string; query: URLSearchParams; body: unknown };
export type Page<T> = {
  result: T[];
  result_info: { page: number; per_page: number; count: number; total_count: number };
};

/** Returns the requested page of a list and refuses sizes beyond Cloudflare's maximum. */
export function pageOf<T>(items: readonly T[], query: URLSearchParams, max: number): Page<T> {
  const page = Number(query.get('page') ?? 1);
  const perPage = Number(query.get('per_page') ?? Math.min(max, 100));
  if (!Number.isInteger(perPage) || perPage < 5 || perPage > max) {
    throw new CloudflareRefusal(400, 1002, `per_page must be between 5 and ${max}`);
  }
  const result = items.slice((page - 1) * perPage, page * perPage);
  return { result, result_info: { page, per_page: perPage, count: result.length, total_count: items.length } };
}

export async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  if (text === '') return undefined;
  if (!request.headers['content-type']?.startsWith('application/json')) {
    throw new CloudflareRefusal(415, 10_006, 'Request body is invalid.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CloudflareRefusal(400, 9207, 'Failed to parse request body as JSON.');
  }
}

export function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

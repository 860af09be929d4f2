import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import { countsOf, detailOf, parseCount } from '@vigie/contracts/responses';
import type { z } from 'zod';
import type { ApiError } from './api-error';
import { reportReachability } from './connection';
import { creationKey, endCreation, newTraceparent } from './request-headers';
import { expireSession, session } from './session';

export type Call = {
  path: `/${string}`;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** The contract's output; a response of another shape is an error. */
  output: z.ZodType;
  /** Statuses other than 2xx whose body follows `output`. */
  acceptedStatuses?: readonly number[];
  /** Every attempt at one creation sends the same key, so that the server creates it once. */
  idempotencyKey?: string;
  timeoutMs?: number;
};

/** Counts of a whole list, of which the response holds one page. */
export type Meta = { counts: Readonly<Record<string, number>> };

type Result = { data: unknown; meta: Meta } | { error: ApiError };

const defaultTimeoutMs = 30_000;

export function headersOf(call: Call, token: string | null): Headers {
  const { userId, adminMode } = session.get();
  // The default user exists in development only, and the server never trusts this header.
  const user = userId ?? (import.meta.env.DEV ? 'dev-user' : null);
  const headers = new Headers({
    accept: 'application/json',
    traceparent: newTraceparent(),
    // The server then answers with a job ticket instead of waiting for the end of the job.
    prefer: 'respond-async',
  });
  if (call.body !== undefined) headers.set('content-type', 'application/json');
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (user !== null) headers.set('x-user-id', user);
  if (adminMode) headers.set('x-admin-mode', '1');
  if (call.idempotencyKey !== undefined) headers.set('idempotency-key', call.idempotencyKey);
  return headers;
}

async function send(call: Call, token: string | null, signal: AbortSignal): Promise<Response> {
  const init: RequestInit = {
    method: call.method ?? 'GET',
    headers: headersOf(call, token),
    signal: AbortSignal.any([signal, AbortSignal.timeout(call.timeoutMs ?? defaultTimeoutMs)]),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
  if (import.meta.env.DEV && import.meta.env.VITE_MOCK === '1') {
    const { answerOffline } = await import('./offline-mock');
    return answerOffline(call.path, init);
  }
  return fetch(`/api${call.path}`, init);
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return {};
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** When Vigie is down, a proxy in front of it answers, and not in JSON. */
const isFromVigie = (status: number, body: unknown) => body !== undefined || ![500, 502, 503, 504].includes(status);

/** The `extraOptions` of an endpoint. */
type Extra = { isCreation?: true };

/** The server has decided: whatever comes next is another creation. */
const isAnswered = (result: Result) =>
  !('error' in result) || (result.error.status >= 400 && result.error.status < 500);

export const baseQuery: BaseQueryFn<Call, unknown, ApiError, Extra, Meta> = async (call, { signal }, extra) => {
  if (!extra?.isCreation) return answerOf(call, signal);
  const result = await answerOf({ ...call, idempotencyKey: creationKey(call) }, signal);
  endCreation(call, isAnswered(result));
  return result;
};

async function answerOf(call: Call, signal: AbortSignal): Promise<Result> {
  const { token } = session.get();
  const path = `${call.method ?? 'GET'} /api${call.path}`;
  const sentAt = performance.now();
  let response: Response;
  try {
    response = await send(call, token, signal);
  } catch {
    if (!signal.aborted) reportReachability(false, sentAt, call.path);
    return { error: { kind: 'network', status: 0, path } };
  }
  return readResponse(call, token, response, sentAt);
}

export async function readResponse(
  call: Call,
  token: string | null,
  response: Response,
  sentAt: number,
): Promise<Result> {
  const path = `${call.method ?? 'GET'} /api${call.path}`;
  const body = await readJson(response);
  reportReachability(isFromVigie(response.status, body), sentAt, call.path);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (!response.ok && !call.acceptedStatuses?.includes(response.status)) {
    if (response.status === 401 && token !== null) expireSession(token);
    const retryAfter = parseCount(response.headers.get('retry-after'));
    return { error: { kind: 'http', status: response.status, path, detail: detailOf(body), requestId, retryAfter } };
  }
  const parsed = call.output.safeParse(body);
  if (parsed.success) return { data: parsed.data, meta: { counts: countsOf(response.headers) } };
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
  return { error: { kind: 'shape', status: response.status, path, requestId, fields } };
}

import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import type { ErrorDetail } from '@vigie/contracts/errors';
import type { z } from 'zod';
import type { ApiError } from './api-error';
import { reportReached } from './connection';
import { expireSession, session } from './session';

export type Call = {
  path: `/${string}`;
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  /** The contract's output: an answer of another shape is an error, never data. */
  output: z.ZodType;
  /** Statuses other than 2xx whose body is an answer too. */
  alsoAnswers?: readonly number[];
  /** The same for each try of one creation: it is made once, however often it is asked for. */
  idempotencyKey?: string;
};

const patienceMs = 30_000;

function headersOf(call: Call, token: string | null): Headers {
  const { userId, adminMode } = session.get();
  // The default user exists in development only: the server takes no authority from this header anyway.
  const user = userId ?? (import.meta.env.DEV ? 'dev-user' : null);
  const headers = new Headers({ accept: 'application/json' });
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
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
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

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function detailOf(body: unknown): ErrorDetail | undefined {
  if (!isRecord(body)) return undefined;
  const detail = body['detail'] ?? body['message'];
  if (typeof detail === 'string') return detail;
  if (!isRecord(detail) || typeof detail['message'] !== 'string') return undefined;
  const text = (key: string) => (typeof detail[key] === 'string' ? { [key]: detail[key] } : {});
  return { message: detail['message'], ...text('stderr'), ...text('stdout'), ...text('code') };
}

const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;

/** A proxy in front of Vigie answers for it when it is away, and never in JSON. */
const isFromVigie = (status: number, body: unknown) => body !== undefined || ![500, 502, 503, 504].includes(status);

export const baseQuery: BaseQueryFn<Call, unknown, ApiError> = async (call, { signal }) => {
  const { token } = session.get();
  const path = `${call.method ?? 'GET'} /api${call.path}`;
  const sentAt = performance.now();
  let response: Response;
  try {
    response = await send(call, token, signal);
  } catch {
    if (!signal.aborted) reportReached(false, sentAt);
    return { error: { kind: 'network', status: 0, path } };
  }
  const body = await readJson(response);
  reportReached(isFromVigie(response.status, body), sentAt);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (!response.ok && !call.alsoAnswers?.includes(response.status)) {
    if (response.status === 401 && token !== null) expireSession(token);
    const retryAfter = secondsOf(response.headers.get('retry-after'));
    return { error: { kind: 'http', status: response.status, path, detail: detailOf(body), requestId, retryAfter } };
  }
  const answer = call.output.safeParse(body);
  if (answer.success) return { data: answer.data };
  const fields = [...new Set(answer.error.issues.map((issue) => issue.path.join('.')))];
  return { error: { kind: 'shape', status: response.status, path, requestId, fields } };
};

import { containsSecret } from '@vigie/testing/canaries';
import type { HttpAnswer, HostileRequest } from './send';

/** A unique value, and its owner; nobody may read a secret, which has no owner. */
export type Canary = { value: string; owner: string | undefined };

/** A refusal needs no remote call. */
const refusalMs = 5_000;
const answerMs = 35_000;

/** The message of an overload tells the user to retry. */
const overloadPattern = /Réessayez/;
const stackPattern = /\n\s+at |node:internal|node_modules\/|\/dist\/|\.[cm]?[jt]s:\d+/;
const databasePattern =
  /QueryFailedError|\brelation "|\bcolumn "|violates |syntax error at|duplicate key|invalid byte sequence|out of range for|\bSELECT\b.+\bFROM\b|\bpg_\w+/;
const developerPattern =
  /\[object \w+\]|\bundefined\b|\bNaN\b|\bENOENT\b|\bECONN\w+|\bTypeError\b|\bZodError\b|FST_ERR/;
/** Routes that wait for a remote host or service. */
const remoteRoutes = /^\w+ \/api\/(?:servers|sites|cloudflare|settings\/notifications\/test)\b/;

export function findFaults(request: HostileRequest, answer: HttpAnswer, canaries: readonly Canary[]): string[] {
  const isFailure = answer.status >= 400 && !isUnready(answer, request);
  return [
    ...statusFaults(request, answer),
    ...(isFailure ? messageFaults(request, answer) : []),
    ...(answer.ms > (isRefusal(answer) && !remoteRoutes.test(request.routeKey) ? refusalMs : answerMs)
      ? [`réponse après ${Math.round(answer.ms)} ms`]
      : []),
    ...findLeaks(request.sender, answer.text, canaries),
  ];
}

export const isRefusal = ({ status }: Pick<HttpAnswer, 'status'>) => status >= 400 && status < 500;
/** An answer to HEAD has no body, so its header decides. */
export const isOverload = ({ status, text, retryAfter }: HttpAnswer, { method }: Pick<HostileRequest, 'method'>) =>
  status === 503 && retryAfter !== undefined && (method === 'HEAD' || overloadPattern.test(text));
/** The readiness check may answer that a service is not ready. */
const isUnready = ({ status, text }: HttpAnswer, { routeKey, method }: HostileRequest) =>
  status === 503 && routeKey === 'GET /api/health/ready' && (method === 'HEAD' || text.startsWith('{"ready":false,'));

function statusFaults(request: HostileRequest, answer: HttpAnswer): string[] {
  const { status } = answer;
  // The gateway may close the connection after a malformed request.
  if (status === 0) return request.wire === undefined || answer.ms > refusalMs ? ['sans réponse'] : [];
  if ((status === 502 || status === 504) && remoteRoutes.test(request.routeKey)) return [];
  if (status >= 500 && !isOverload(answer, request) && !isUnready(answer, request))
    return [`erreur ${status} ${answer.text.slice(0, 120)}`];
  const isLeaked = request.foreign !== undefined && answer.text.includes(request.foreign);
  return status < 300 && (!request.mayPass || isLeaked) ? [`accordé à qui n’y a pas droit (${status})`] : [];
}

/** Every refusal must be a `{detail}` with a sentence for users. */
function messageFaults(request: HostileRequest, { text }: HttpAnswer): string[] {
  if (request.method === 'HEAD') return text === '' ? [] : ['un corps à HEAD'];
  const protocolError = readProtocolError(request, text);
  if (protocolError !== undefined) {
    // Only a program reads it, so it may speak its words.
    return matchIn(protocolError, stackPattern, request).map((words) => `pile d’appels (${words})`);
  }
  const detail = readDetail(text);
  if (detail === undefined) return [`pas un {detail} : ${JSON.stringify(text.slice(0, 80))}`];
  return [
    ...matchIn(detail, stackPattern, request).map((words) => `pile d’appels (${words})`),
    ...matchIn(detail, databasePattern, request).map((words) => `mots de la base (${words})`),
    ...matchIn(detail, developerPattern, request).map((words) => `mots de développeur (${words})`),
  ];
}

/** Ignores matches that the request itself contains. */
function matchIn(detail: string, words: RegExp, { path, body = '' }: HostileRequest): string[] {
  const match = words.exec(detail)?.[0];
  return match === undefined || `${path}${String(body)}`.includes(match) ? [] : [match.trim()];
}

/** The message of a refusal that the protocol of assistants makes itself. */
function readProtocolError({ routeKey }: HostileRequest, text: string): string | undefined {
  if (routeKey !== 'POST /api/mcp' || !text.startsWith('{"jsonrpc":"2.0"')) return undefined;
  const { error } = Object(JSON.parse(text));
  return typeof Object(error).message === 'string' ? error.message : undefined;
}

function readDetail(text: string): string | undefined {
  try {
    const { detail } = Object(JSON.parse(text));
    if (typeof detail === 'string' && detail !== '') return detail;
    return typeof Object(detail).message === 'string' ? stringsIn(detail).join('\n') : undefined;
  } catch {
    return undefined;
  }
}

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(stringsIn);

const findLeaks = (sender: string, text: string, canaries: readonly Canary[]): string[] =>
  canaries.flatMap(({ value, owner }) =>
    owner !== sender && containsSecret(text, value)
      ? [owner ? `ce qui est à ${owner}` : 'un secret'].map((leak) => `${leak} : ${value}`)
      : [],
  );

export const findSecrets = (log: string, canaries: readonly Canary[]): string[] =>
  canaries.flatMap(({ value, owner }) => (owner === undefined && containsSecret(log, value) ? [value] : []));

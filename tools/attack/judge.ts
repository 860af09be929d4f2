import { isIn } from '@vigie/testing/canaries';
import type { Answered, Case } from './send';

/** What was planted, and who may read it: an owner's own, or nobody at all. */
export type Planted = { value: string; owner: string | undefined };

/** A refusal needs no look at anything far away. */
const refusalMs = 5_000;
/** No answer takes longer, whatever it waits for. */
const answerMs = 35_000;

/** What comes back by itself says so, and when. */
const overload = /Réessayez/;
const stack = /\n\s+at |node:internal|node_modules\/|\/dist\/|\.[cm]?[jt]s:\d+/;
const database =
  /QueryFailedError|\brelation "|\bcolumn "|violates |syntax error at|duplicate key|invalid byte sequence|out of range for|\bSELECT\b.+\bFROM\b|\bpg_\w+/;
const developer = /\[object \w+\]|\bundefined\b|\bNaN\b|\bENOENT\b|\bECONN\w+|\bTypeError\b|\bZodError\b|FST_ERR/;
/** Whose answers are those of somebody far away. */
const remote = /^\w+ \/api\/(?:servers|sites|cloudflare|settings\/notifications\/test)\b/;

/** What is wrong with an answer, in words; empty where nothing is. */
export function faultsOf(sent: Case, answer: Answered, planted: readonly Planted[]): string[] {
  const isWrong = answer.status >= 400 && !isUnready(answer, sent);
  return [
    ...wrongStatus(sent, answer),
    ...(isWrong ? wrongWords(sent, answer) : []),
    ...(answer.ms > (isRefusal(answer) && !remote.test(sent.aim) ? refusalMs : answerMs)
      ? [`réponse après ${Math.round(answer.ms)} ms`]
      : []),
    ...told(sent.who, answer.text, planted),
  ];
}

export const isRefusal = ({ status }: Pick<Answered, 'status'>) => status >= 400 && status < 500;
/** To HEAD, which takes no words, by its header alone. */
export const isOverload = ({ status, text, retryAfter }: Answered, { method }: Pick<Case, 'method'>) =>
  status === 503 && retryAfter !== undefined && (method === 'HEAD' || overload.test(text));
/** Whether all can answer is asked for this answer: that one of them is behind is no fault of it. */
const isUnready = ({ status, text }: Answered, { aim, method }: Case) =>
  status === 503 && aim === 'GET /api/health/ready' && (method === 'HEAD' || text.startsWith('{"ready":false,'));

function wrongStatus(sent: Case, answer: Answered): string[] {
  const { status } = answer;
  // Bytes that are no request may be met by a closed door.
  if (status === 0) return sent.wire === undefined || answer.ms > refusalMs ? ['sans réponse'] : [];
  if ((status === 502 || status === 504) && remote.test(sent.aim)) return [];
  if (status >= 500 && !isOverload(answer, sent) && !isUnready(answer, sent))
    return [`erreur ${status} ${answer.text.slice(0, 120)}`];
  const isTold = sent.foreign !== undefined && answer.text.includes(sent.foreign);
  return status < 300 && (!sent.mayPass || isTold) ? [`accordé à qui n’y a pas droit (${status})`] : [];
}

/** Every refusal is `{detail}`, in words for a person. */
function wrongWords(sent: Case, { text }: Answered): string[] {
  if (sent.method === 'HEAD') return text === '' ? [] : ['un corps à HEAD'];
  const detail = detailIn(text);
  if (detail === undefined) return [`pas un {detail} : ${JSON.stringify(text.slice(0, 80))}`];
  return [
    ...foundIn(detail, stack, sent).map((words) => `pile d’appels (${words})`),
    ...foundIn(detail, database, sent).map((words) => `mots de la base (${words})`),
    ...foundIn(detail, developer, sent).map((words) => `mots de développeur (${words})`),
  ];
}

/** Not where whoever is answered said so. */
function foundIn(detail: string, words: RegExp, { path, body = '' }: Case): string[] {
  const found = words.exec(detail)?.[0];
  return found === undefined || `${path}${String(body)}`.includes(found) ? [] : [found.trim()];
}

/** Its sentences. */
function detailIn(text: string): string | undefined {
  try {
    const { detail } = Object(JSON.parse(text));
    if (typeof detail === 'string' && detail !== '') return detail;
    return typeof Object(detail).message === 'string' ? textsIn(detail).join('\n') : undefined;
  } catch {
    return undefined;
  }
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn);

const told = (who: string, text: string, planted: readonly Planted[]): string[] =>
  planted.flatMap(({ value, owner }) =>
    owner !== who && isIn(text, value)
      ? [owner ? `ce qui est à ${owner}` : 'un secret'].map((what) => `${what} : ${value}`)
      : [],
  );

/** The secrets that a log shows, which nobody may read there. */
export const secretsIn = (log: string, planted: readonly Planted[]): string[] =>
  planted.flatMap(({ value, owner }) => (owner === undefined && isIn(log, value) ? [value] : []));

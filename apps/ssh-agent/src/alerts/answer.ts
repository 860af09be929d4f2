import type { AlertAnswer } from '@vigie/contracts/alerts';
import { forbiddenAddress } from '@vigie/contracts/sites';
import { cleanLine } from '@vigie/contracts/text';
import { z } from 'zod';
import { hideTarget } from './hide-target';
import type { HttpAnswer, PostFailure } from './post';
import type { Called } from './receiver';
import { parseJson, retryAfterOf } from './retry-after';
import { lateSentence, noAnswerSentence, refusalSentence } from './sentences';
import { fit } from './templates/message-text';

const maxAnswerLength = 300;
/** The longest address: the end of a cut answer may have a part of it, which nothing would recognize. */
const maxSecretLength = 2_048;

const isSuccess = (status: number) => status >= 200 && status < 300;
const mayPassLater = (status: number) => [408, 425, 429].includes(status) || status >= 500;

/** The beginning of the answer on one line, without the secrets of the channel. */
function shownAnswer({ body, isWhole }: HttpAnswer, receiver: Called): string | null {
  const text = isWhole ? body : body.slice(0, -maxSecretLength);
  const line = cleanLine(hideTarget(text, receiver)).replaceAll(/\s+/g, ' ');
  return fit(line, { max: maxAnswerLength }) || null;
}

const TelegramAnswer = z.object({ ok: z.boolean(), error_code: z.int().min(400).max(599).optional().catch(undefined) });

/** Telegram says in the body how it went; undefined where it says nothing, as a proxy in between would. */
function effectiveStatus({ status, body }: HttpAnswer, { kind }: Called): number | undefined {
  if (kind !== 'telegram' || !isSuccess(status)) return status;
  const { data } = TelegramAnswer.safeParse(parseJson(body));
  return data?.ok === true ? status : data?.error_code;
}

/** What an answer means for the message. */
export function toAlertAnswer(answer: HttpAnswer, receiver: Called): AlertAnswer {
  const status = effectiveStatus(answer, receiver);
  const shown = { status: answer.status, answer: shownAnswer(answer, receiver) };
  if (status !== undefined && isSuccess(status)) return { ...shown, outcome: 'sent', error: null, retry_after: null };
  const error =
    status === undefined ? 'Telegram a répondu sans confirmer le message.' : refusalSentence(status, receiver.kind);
  return status === undefined || mayPassLater(status)
    ? { ...shown, outcome: 'retry', error, retry_after: retryAfterOf(answer) }
    : { ...shown, outcome: 'refused', error, retry_after: null };
}

/** Without an answer another attempt may succeed, unless nothing may be sent there. */
export function toFailedAnswer({ cause, lateAfterMs }: PostFailure, { kind }: Called): AlertAnswer {
  const error = lateAfterMs === null ? noAnswerSentence(cause, kind) : lateSentence(kind, lateAfterMs);
  const outcome = error === forbiddenAddress ? 'refused' : 'retry';
  return { outcome, status: null, answer: null, error, retry_after: null };
}

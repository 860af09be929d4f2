import type { Job } from '@vigie/contracts/jobs';
import { DiagnosisStep, HostKeyChanged } from '@vigie/contracts/servers';
import { z } from 'zod';
import { type ApiError, detailsOf, isApiError, sentenceOf } from '../api-error';

const fallback = 'Test de connexion échoué.';

/** Servers and sites have different steps, so any name is allowed. */
const Step = DiagnosisStep.extend({ step: z.string() });
export type Step = z.infer<typeof Step>;

const steps = z.array(Step).catch([]);

export const knownOf = (error: ApiError) => (typeof error.detail === 'object' ? error.detail : undefined);

/** A test fails when its request is refused, or when its job fails. */
export type Refusal = { error: unknown } | { job: Job };

function saidOf(refusal: Refusal) {
  if ('job' in refusal) return { known: refusal.job.error ?? undefined, said: refusal.job.error?.message };
  const { error } = refusal;
  return isApiError(error) ? { known: knownOf(error), said: sentenceOf(error) } : { known: undefined, said: undefined };
}

export function failureOf(refusal: Refusal) {
  const { known, said } = saidOf(refusal);
  const message = said || fallback;
  const outputs = [known?.stderr, known?.stdout].flatMap((text) => text?.trim() || []);
  return {
    message,
    outputs,
    /** One line, for the toast. */
    sentence: [message, ...outputs].join(' | '),
    /** Text to copy for the administrator of the server. */
    details: spellDetails(refusal, [message, ...outputs]),
    remedy: known?.remedy,
    steps: steps.parse(known?.['steps']),
    changedKey: HostKeyChanged.safeParse(known).data,
  };
}

function spellDetails(refusal: Refusal, texts: readonly string[]): string {
  if ('job' in refusal) {
    const { id, finished_at: at } = refusal.job;
    return [...texts, `Tâche ${id}`, at].filter(Boolean).join('\n');
  }
  return isApiError(refusal.error) ? detailsOf(refusal.error) : texts.join('\n');
}

import type { Job } from '@vigie/contracts/jobs';
import { DiagnosisStep, HostKeyChanged } from '@vigie/contracts/servers';
import { z } from 'zod';
import { type ApiError, errorDetails, isApiError, serverMessage } from '../query/api-error';

const fallback = 'Test de connexion échoué.';

/** Servers and sites have different steps, so any name is allowed. */
const Step = DiagnosisStep.extend({ step: z.string() });
export type Step = z.infer<typeof Step>;

const steps = z.array(Step).catch([]);

export const errorDetail = (error: ApiError) => (typeof error.detail === 'object' ? error.detail : undefined);

/** A test fails when its request is refused, or when its job fails. */
export type DiagnosisFailure = { error: unknown } | { job: Job };

function readFailure(failure: DiagnosisFailure) {
  if ('job' in failure) return { detail: failure.job.error ?? undefined, serverText: failure.job.error?.message };
  const { error } = failure;
  return isApiError(error)
    ? { detail: errorDetail(error), serverText: serverMessage(error) }
    : { detail: undefined, serverText: undefined };
}

export function describeFailure(failure: DiagnosisFailure) {
  const { detail, serverText } = readFailure(failure);
  const message = serverText || fallback;
  const outputs = [detail?.stderr, detail?.stdout].flatMap((text) => text?.trim() || []);
  return {
    message,
    outputs,
    /** One line, for the toast. */
    sentence: [message, ...outputs].join(' | '),
    /** Text to copy for the administrator of the server. */
    details: formatDetails(failure, [message, ...outputs]),
    remedy: detail?.remedy,
    steps: steps.parse(detail?.['steps']),
    changedKey: HostKeyChanged.safeParse(detail).data,
  };
}

function formatDetails(failure: DiagnosisFailure, texts: readonly string[]): string {
  if ('job' in failure) {
    const { id, finished_at: at } = failure.job;
    return [...texts, `Tâche ${id}`, at].filter(Boolean).join('\n');
  }
  return isApiError(failure.error) ? errorDetails(failure.error) : texts.join('\n');
}

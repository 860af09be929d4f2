import { DiagnosisStep } from '@vigie/contracts/servers';
import { z } from 'zod';
import { type ApiError, isApiError, sentenceOf } from '../../app/api-error';

const fallback = 'Test de connexion échoué.';

const steps = z.array(DiagnosisStep).catch([]);
const HostKeyChanged = z.object({ code: z.literal('host_key_changed'), expected: z.string(), actual: z.string() });
const SitesAttached = z.object({ code: z.literal('sites_attached'), sites: z.array(z.object({ name: z.string() })) });

const knownOf = (error: ApiError) => (typeof error.detail === 'object' ? error.detail : undefined);

/** What a test that failed says of why, and of what to do. */
export function failureOf(error: unknown) {
  const known = isApiError(error) ? knownOf(error) : undefined;
  const message = (isApiError(error) && sentenceOf(error)) || fallback;
  const outputs = [known?.stderr, known?.stdout].flatMap((text) => text?.trim() || []);
  return {
    message,
    outputs,
    /** As the toast says it. */
    sentence: [message, ...outputs].join(' | '),
    remedy: known?.remedy,
    steps: steps.parse(known?.['steps']),
    changedKey: HostKeyChanged.safeParse(known).data,
  };
}

/** The names of the sites that use a server, where that is why it was not deleted. */
export const attachedSites = (error: unknown): string[] | undefined =>
  isApiError(error) ? SitesAttached.safeParse(knownOf(error)).data?.sites.map(({ name }) => name) : undefined;

import { z } from 'zod';
import type { HttpAnswer } from './post';

const maxSeconds = 3_600;

/** Discord writes the seconds at the top, with a fraction; Telegram one level below. */
const RetryAfter = z.object({
  retry_after: z.number().optional().catch(undefined),
  parameters: z
    .object({ retry_after: z.number().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** The seconds for which the receiver wants nothing more, the longest that it names. */
export function retryAfterOf({ headers, body }: Omit<HttpAnswer, 'status'>, now = Date.now()): number | null {
  const { data } = RetryAfter.safeParse(parseJson(body));
  const named = [retryAfterSeconds(headers['retry-after'], now), data?.retry_after, data?.parameters?.retry_after];
  const seconds = named.filter((value) => value !== undefined);
  return seconds.length === 0 ? null : Math.min(Math.max(Math.ceil(Math.max(...seconds)), 1), maxSeconds);
}

/** The header has seconds, or the date until when. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(header)) return Number(header);
  const date = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : (date - now) / 1_000;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

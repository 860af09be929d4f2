import { z } from 'zod';
import type { ErrorDetail } from './errors';

const text = z.string().optional().catch(undefined);
const DetailObject = z.looseObject({ message: z.string(), stderr: text, stdout: text, code: text, remedy: text });
const ErrorBody = z.object({ detail: z.union([z.string(), DetailObject]) });
const MessageBody = z.object({ message: z.string() });

/** What the body of a refusal says; undefined where it says nothing, as that of a proxy. */
export function detailOf(body: unknown): ErrorDetail | undefined {
  const detail = ErrorBody.safeParse(body).data?.detail ?? MessageBody.safeParse(body).data?.message;
  if (detail === undefined || typeof detail === 'string') return detail;
  const { stderr, stdout, code, remedy, ...rest } = detail;
  const texts = Object.entries({ stderr, stdout, code, remedy }).filter(([, value]) => value !== undefined);
  return { ...rest, ...Object.fromEntries(texts) };
}

/** A number of a header, such as the seconds of `retry-after`. */
export const parseCount = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;

/** The counts of a whole list, which come in headers. */
export function countsOf(headers: Headers): Record<string, number> {
  const counts = [...headers].map(([name, value]) => [/^x-(\w+)-count$/.exec(name)?.[1], parseCount(value)] as const);
  return Object.fromEntries(counts.filter(([name, count]) => name !== undefined && count !== undefined));
}

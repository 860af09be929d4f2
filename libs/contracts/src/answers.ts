import { z } from 'zod';
import type { Contract } from './contract';
import { JobTicket } from './jobs';

/** The shape of what a route answers. */
export function answerSchema({ answer, output }: Contract): z.ZodType {
  if (answer === 'items' || answer === 'list') return (output as z.ZodObject<{ items: z.ZodType }>).shape.items;
  if (typeof answer === 'string' || 'pages' in answer) return output;
  return 'job' in answer ? z.union([answer.job, JobTicket]) : answer.custom;
}

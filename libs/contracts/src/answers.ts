import { z } from 'zod';
import type { Contract } from './contract';
import { JobTicket } from './jobs';

/** The shape of what a route answers. */
export function answerSchema({ answer, output }: Contract): z.ZodType {
  if (answer === 'items' || answer === 'list') return z.array(itemSchema(output));
  if (typeof answer === 'string' || 'pages' in answer) return output;
  return 'job' in answer ? z.union([answer.job, JobTicket]) : answer.custom;
}

/** The shape of one item of an output with `items`. */
function itemSchema(output: z.ZodType): z.ZodType {
  const items = output instanceof z.ZodObject ? output.shape['items'] : undefined;
  if (items instanceof z.ZodArray) return items.element as z.ZodType;
  throw new Error('a list without items');
}

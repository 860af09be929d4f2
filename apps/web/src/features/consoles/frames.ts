import { z } from 'zod';

const count = z.int().nonnegative();

/** What the gateway says in text beside the bytes of the shell. */
const Frame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('attached'),
    console: z.string(),
    from: count,
    lost: count,
    input: count,
    is_new: z.boolean(),
    /** Whether what was typed last came from another page. */
    is_others: z.boolean().default(false),
  }),
  z.object({ type: z.literal('exit'), code: z.int().nullable(), signal: z.string().nullable() }),
  z.object({ type: z.literal('error'), message: z.string(), code: z.string() }),
  z.object({ type: z.literal('pong') }),
]);
export type Frame = z.infer<typeof Frame>;
export type Attached = Extract<Frame, { type: 'attached' }>;

/** Undefined for what is none: a later version may say more. */
export function readFrame(text: string): Frame | undefined {
  try {
    return Frame.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const closeCodes = {
  ended: 1000,
  sessionEnded: 4401,
  gone: 4404,
  takenOver: 4409,
  flood: 4429,
} as const;

import { z } from 'zod';

const count = z.int().nonnegative();

/** The text frames of the gateway; the output of the shell is binary. */
const Frame = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('attached'),
    console: z.string(),
    from: count,
    lost: count,
    input: count,
    is_new: z.boolean(),
    /** True when another page typed last. */
    is_others: z.boolean().default(false),
  }),
  z.object({ type: z.literal('exit'), code: z.int().nullable(), signal: z.string().nullable() }),
  z.object({ type: z.literal('error'), message: z.string(), code: z.string() }),
  z.object({ type: z.literal('pong') }),
]);
export type Frame = z.infer<typeof Frame>;
export type AttachedFrame = Extract<Frame, { type: 'attached' }>;

/** Undefined for an unknown frame, which a later version of the gateway may send. */
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

import { type AgentFrame, type ConsoleAttach, type GatewayFrame } from '@vigie/contracts/console-frames';
import type { z } from 'zod';
import type { KeyFile } from './keys';
import { SealedFrames } from './sealed-frames';

const kinds = { bytes: 0, control: 1 };

/** Subjects of a console; only its agent listens at `all`. */
export const consoleSubjects = ({ instance }: Pick<KeyFile, 'instance'>, id: string) => ({
  all: `${instance}.console.${id}.*`,
  attach: `${instance}.console.${id}.attach`,
  signed: `console.${id}.attach`,
  in: (attach: string) => `${instance}.console.${id}.${attach}`,
  out: (attach: string) => `${instance}.console.${id}.${attach}.out`,
});

/** Binds the key of an attach, and its frames, to this attach. */
export const attachSealContext = (id: string, attach: string) => `console|${id}|${attach}`;

type Frames = { gateway: GatewayFrame; agent: AgentFrame };
type OtherSide<S extends keyof Frames> = S extends 'gateway' ? 'agent' : 'gateway';

/** One side of an attached console: shell bytes, and control frames beside them. */
export class ConsoleLine<S extends keyof Frames> {
  private readonly frames: SealedFrames;

  constructor(
    side: S,
    { key }: Pick<ConsoleAttach, 'key'>,
    context: string,
    private readonly schema: z.ZodType<Frames[OtherSide<S>]>,
    private readonly publish: (frame: Buffer) => void,
  ) {
    this.frames = new SealedFrames(Buffer.from(key, 'base64'), context, side);
  }

  sendBytes(bytes: Uint8Array): void {
    this.publish(this.frames.seal(kinds.bytes, bytes));
  }

  send(frame: Frames[S]): void {
    this.publish(this.seal(frame));
  }

  /** Seals a frame that the caller publishes itself. */
  seal(frame: Frames[S]): Buffer {
    return this.frames.seal(kinds.control, Buffer.from(JSON.stringify(frame)));
  }

  /** Returns bytes or a frame, `missed` when an earlier one was lost, undefined for a forged or unknown one. */
  open(sealed: Uint8Array): Buffer | Frames[OtherSide<S>] | 'missed' | undefined {
    const frame = this.frames.open(sealed);
    if (frame === undefined || frame === 'missed') return frame;
    return frame.kind === kinds.bytes ? frame.body : this.read(frame.body);
  }

  /** The other side may be a newer release, whose unknown frames must not end the console. */
  private read(body: Buffer): Frames[OtherSide<S>] | undefined {
    try {
      return this.schema.safeParse(JSON.parse(body.toString())).data;
    } catch {
      return undefined;
    }
  }
}

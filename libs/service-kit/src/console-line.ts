import { type AgentFrame, type ConsoleAttach, type GatewayFrame } from '@vigie/contracts/console-frames';
import type { z } from 'zod';
import type { KeyFile } from './keys';
import { SealedFrames } from './sealed-frames';

const kinds = { bytes: 0, control: 1 };

/** Where a console is reached: its agent alone listens at `all`. */
export const consoleSubjects = ({ instance }: Pick<KeyFile, 'instance'>, id: string) => ({
  all: `${instance}.console.${id}.*`,
  attach: `${instance}.console.${id}.attach`,
  /** As the envelope of an attach names it. */
  signed: `console.${id}.attach`,
  in: (attach: string) => `${instance}.console.${id}.${attach}`,
  out: (attach: string) => `${instance}.console.${id}.${attach}.out`,
});

/** Where the key of an attach is sealed, and its frames. */
export const attachSealContext = (id: string, attach: string) => `console|${id}|${attach}`;

type Spoken = { gateway: GatewayFrame; agent: AgentFrame };
type Other<S extends keyof Spoken> = S extends 'gateway' ? 'agent' : 'gateway';

/** One side of an attach: bytes of the shell, and what is said beside them. */
export class ConsoleLine<S extends keyof Spoken> {
  private readonly frames: SealedFrames;

  constructor(
    side: S,
    { key }: Pick<ConsoleAttach, 'key'>,
    place: string,
    private readonly schema: z.ZodType<Spoken[Other<S>]>,
    private readonly publish: (frame: Buffer) => void,
  ) {
    this.frames = new SealedFrames(Buffer.from(key, 'base64'), place, side);
  }

  sendBytes(bytes: Uint8Array): void {
    this.publish(this.frames.seal(kinds.bytes, bytes));
  }

  send(frame: Spoken[S]): void {
    this.publish(this.seal(frame));
  }

  /** For what is published in another way. */
  seal(frame: Spoken[S]): Buffer {
    return this.frames.seal(kinds.control, Buffer.from(JSON.stringify(frame)));
  }

  /** Bytes, or what was said; `missed` when something before it is lost, undefined for a forgery or what we do not know yet. */
  open(sealed: Uint8Array): Buffer | Spoken[Other<S>] | 'missed' | undefined {
    const frame = this.frames.open(sealed);
    if (frame === undefined || frame === 'missed') return frame;
    return frame.kind === kinds.bytes ? frame.body : this.read(frame.body);
  }

  /** The other side may be newer than we are: what it says more is no reason to end what there is. */
  private read(body: Buffer): Spoken[Other<S>] | undefined {
    try {
      return this.schema.safeParse(JSON.parse(body.toString())).data;
    } catch {
      return undefined;
    }
  }
}

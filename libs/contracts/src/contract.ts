import type { z } from 'zod';

export const owners = { auth: 'auth-svc', sites: 'sites-svc', agent: 'ssh-agent', dns: 'dns-svc' } as const;
export type Owner = keyof typeof owners;
/** A process of the product, as the signed envelope names it. */
export type Caller = 'gateway' | (typeof owners)[Owner];

export type Contract<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = {
  readonly kind: 'call';
  /** `<owner>.<feature>.<verb>`, and the subject on the bus. */
  readonly name: string;
  readonly input: I;
  readonly output: O;
  /** The input as the owner gets it: what is sealed for another process is sealed there too. */
  readonly received: R;
  readonly callers: readonly Caller[];
  /**
   * Top-level fields that cross the bus sealed, and the only process that can open them; only beside the same values of
   * the fields they are bound to.
   */
  readonly sealed: Seal | undefined;
  /** Another owner's call, for which the secrets of this input are meant: this owner hands them on as they are. */
  readonly forwardsTo: Contract | undefined;
  /** Top-level fields of the answer that cross the bus sealed to whoever asked. */
  readonly sealedAnswer: readonly string[];
  readonly timeoutMs: number;
};

type Seal = {
  readonly reader: Caller;
  readonly fields: readonly string[];
  readonly boundTo?: readonly string[];
};

export type Input<C extends Contract> = z.output<C['input']>;
export type ReceivedInput<C extends Contract> = z.output<C['received']>;
export type Output<C extends Contract> = z.output<C['output']>;

type Shape<I extends z.ZodType, O extends z.ZodType> = Pick<Contract<I, O>, 'input' | 'output' | 'callers'> &
  Partial<Pick<Contract, 'sealed' | 'sealedAnswer' | 'timeoutMs'>>;

export function contract<I extends z.ZodType, O extends z.ZodType>(
  name: `${Owner}.${string}.${string}`,
  shape: Shape<I, O>,
): Contract<I, O, I> {
  return { ...defaults, kind: 'call', name, received: shape.input, ...shape };
}

/** A contract whose owner cannot read the secrets of its input. */
export function forwarding<I extends z.ZodType, O extends z.ZodType, R extends z.ZodType>(
  name: `${Owner}.${string}.${string}`,
  shape: Shape<I, O> & { received: R; forwardsTo: Contract },
): Contract<I, O, R> {
  return { ...defaults, kind: 'call', name, ...shape };
}

const defaults = { sealed: undefined, forwardsTo: undefined, sealedAnswer: [], timeoutMs: 5_000 };

/** A hint: it may be lost, so nothing that must be known travels by it. */
export type Event<P extends z.ZodType = z.ZodType> = {
  readonly kind: 'event';
  /** `<owner>.<feature>.<past>`. */
  readonly name: string;
  readonly payload: P;
  readonly publisher: Caller;
};

export function event<P extends z.ZodType>(
  name: `${Owner}.${string}.${string}`,
  shape: Pick<Event<P>, 'payload' | 'publisher'>,
): Event<P> {
  return { kind: 'event', name, ...shape };
}

/** The process that answers a call, by the first word of its name. */
export function ownerOf(name: string): Caller {
  const found = Object.entries(owners).find(([owner]) => name.startsWith(`${owner}.`));
  if (!found) throw new Error(`${name} has no owner`);
  return found[1];
}

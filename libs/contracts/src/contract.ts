import type { z } from 'zod';

export const owners = { auth: 'auth-svc', sites: 'sites-svc', agent: 'ssh-agent', dns: 'dns-svc' } as const;
export type Owner = keyof typeof owners;
/** A process of the product, as the signed envelope names it. */
export type Caller = 'gateway' | (typeof owners)[Owner];

export type Contract<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  readonly kind: 'call';
  /** `<owner>.<feature>.<verb>`, and the subject on the bus. */
  readonly name: string;
  readonly input: I;
  readonly output: O;
  readonly callers: readonly Caller[];
  /** Top-level fields that cross the bus sealed, and the only process that can open them. */
  readonly sealed: { readonly reader: Caller; readonly fields: readonly string[] } | undefined;
  /** Top-level fields of the answer that cross the bus sealed to whoever asked. */
  readonly sealedAnswer: readonly string[];
  readonly timeoutMs: number;
};

export type Input<C extends Contract> = z.output<C['input']>;
export type Output<C extends Contract> = z.output<C['output']>;

export function contract<I extends z.ZodType, O extends z.ZodType>(
  name: `${Owner}.${string}.${string}`,
  shape: Pick<Contract<I, O>, 'input' | 'output' | 'callers'> &
    Partial<Pick<Contract, 'sealed' | 'sealedAnswer' | 'timeoutMs'>>,
): Contract<I, O> {
  return { kind: 'call', name, sealed: undefined, sealedAnswer: [], timeoutMs: 5_000, ...shape };
}

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

import { connect, type Socket } from 'node:net';
import { type Phase, type Reason, SshFailure } from './failure';
import { type NameResolver, nameResolver, NotResolved } from './name-resolver';
import type { SshTarget } from './target';

/** Limits one address while others remain to be tried. */
const maxAddressMs = 5_000;

type Dialed = { socket: Socket; address: string };
type Limits = { ms: number; signal: AbortSignal; onResolved?: (addresses: readonly string[]) => void };

/** Resolves the host once and connects to the first address that the outbound rule allows and that answers. */
export async function dial(
  target: Pick<SshTarget, 'host' | 'port' | 'mayConnect'>,
  limits: Limits,
  resolver: NameResolver = nameResolver,
): Promise<Dialed> {
  const endsAt = performance.now() + limits.ms;
  const addresses = await resolveAllowed(target, limits, resolver);
  limits.onResolved?.(addresses);
  const dialed = await dialFirst(addresses, target.port, { ...limits, ms: endsAt - performance.now() });
  if (dialed instanceof SshFailure) throw dialed;
  return dialed;
}

/** Returns the first address that answers, or the failure that says most when none does. */
export async function dialFirst(
  addresses: readonly string[],
  port: number,
  limits: Limits,
): Promise<Dialed | SshFailure> {
  const endsAt = performance.now() + limits.ms;
  let failure: SshFailure | undefined;
  for (const [index, address] of addresses.entries()) {
    const remainingMs = Math.max(1, endsAt - performance.now());
    const ms = index === addresses.length - 1 ? remainingMs : Math.min(remainingMs, maxAddressMs);
    const socket = await open(address, port, { ...limits, ms }).catch((error: SshFailure) => error);
    if (!(socket instanceof SshFailure)) return { socket, address };
    // A closed port says more than an address without a route.
    if (failure?.kind !== 'refused') failure = socket;
    if (limits.signal.aborted) break;
  }
  return failure ?? new SshFailure({ kind: 'unreachable', address: '' });
}

type Destination = Pick<SshTarget, 'host' | 'mayConnect'>;

async function resolveAllowed({ host, mayConnect }: Destination, { ms, signal }: Limits, resolver: NameResolver) {
  const answer = resolver.resolve(host).catch((error: unknown) => {
    if (error instanceof NotResolved) throw new SshFailure({ kind: 'unasked', host });
    return [];
  });
  const resolved = await withDeadline({ phase: 'resolve', ms, signal }, answer);
  const addresses = [...new Set(resolved.map(({ address }) => address))];
  if (addresses.length === 0) throw new SshFailure({ kind: 'unresolved', host });
  const allowed = addresses.filter((address) => mayConnect(address));
  if (allowed.length === 0) throw new SshFailure({ kind: 'forbidden', address: addresses[0] ?? host });
  return allowed;
}

async function open(address: string, port: number, { ms, signal }: Limits): Promise<Socket> {
  // Without noDelay each command of a warm connection waits 40 ms for Nagle.
  const socket = connect({ host: address, port, noDelay: true, keepAlive: true });
  const connected = new Promise<Socket>((done, fail) => {
    socket.once('connect', () => done(socket));
    socket.on('error', (error: NodeJS.ErrnoException) => fail(new SshFailure(dialReason(error, address, port))));
  });
  return withDeadline({ phase: 'connect', ms, signal }, connected).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
}

function dialReason({ code }: NodeJS.ErrnoException, address: string, port: number): Reason {
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return { kind: 'refused', address, port };
  return { kind: 'unreachable', address };
}

/** Settles as `work` does, unless its deadline passes or it is cancelled first. */
export function withDeadline<T>(
  limit: { phase: Phase; ms: number; signal: AbortSignal },
  work: Promise<T>,
): Promise<T> {
  const { phase, ms, signal } = limit;
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      end();
    };
    const fail = (reason: Reason) => settle(() => reject(new SshFailure(reason)));
    const cancel = () => fail({ kind: 'cancelled' });
    const timer = setTimeout(() => fail({ kind: 'timed-out', phase, seconds: ms / 1000 }), ms);
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    work.then(
      (result) => settle(() => resolve(result)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { SshAccess } from '@vigie/contracts/credentials';
import { serversChanged } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { sshFailures } from '@vigie/service-kit/measures';
import { readAtScrape } from '@vigie/service-kit/metrics';
import { outboundRule } from '@vigie/ssh/addresses';
import type { Connection } from '@vigie/ssh/connection';
import { type Reason, SshFailure } from '@vigie/ssh/failure';
import { SshPool } from '@vigie/ssh/pool';
import type { SshTarget } from '@vigie/ssh/target';
import { SiteFailure } from '@vigie/wordpress/host';
import { openAccess } from './credentials/credential';
import { hideSecret, hideSecretInFailure } from './credentials/hide-secret';
import { env } from './env';
import { PoolKeys } from './pool-keys';
import { connectMeasured } from './measured-connect';

/** Sites with an account of their own may be a hundred on one host, which need not hold a hundred connections. */
const siteIdleMs = 10_000;

type UseOptions<T> = { signal: AbortSignal; work: (connection: Connection) => Promise<T> };

/** The connections that are open to hosts, and what it takes to open one. */
@Injectable()
export class Connections implements OnApplicationShutdown {
  private readonly pool = new SshPool({}, connectMeasured);
  private readonly keys = new PoolKeys();

  constructor(
    private readonly keyRing: KeyRing,
    bus: Bus,
  ) {
    bus.subscribe(serversChanged, ({ ids }) => {
      for (const id of ids) this.forget(id);
    });
    readAtScrape('connections', () => [
      { name: 'vigie_ssh_connections', value: this.pool.size },
      { name: 'vigie_ssh_channels', value: this.pool.commands },
    ]);
  }

  async targetOf(access: SshAccess): Promise<SshTarget> {
    const { host, port, user } = access;
    const { password, privateKey } = await openAccess(this.keyRing, access);
    const auth = password === undefined ? { privateKey } : { password };
    return { id: access.row.id, host, port, user, auth, hostKey: access.host_key, mayConnect: ruleOf(access) };
  }

  /** On a connection that may already be open. */
  async use<T>(access: SshAccess, { signal, work }: UseOptions<T>): Promise<T> {
    const target = await this.targetOf(access);
    const check = (connection: Connection) => {
      const reason = findObjection(connection, target);
      if (!reason) return work(connection);
      this.forget(access.row.id);
      throw new SshFailure(reason);
    };
    const options = { signal, ...(access.row.table === 'sites' && { idleMs: siteIdleMs }) };
    const use = this.pool.use(this.keyOf(access), target, async (connection) => check(connection), options);
    return use.catch((error: unknown) => rethrow(error, target));
  }

  /** A connection outside of the pool, which nothing else closes; whoever has it does. */
  async open(access: SshAccess, signal: AbortSignal): Promise<Connection> {
    const target = await this.targetOf(access);
    return connectMeasured(target, { signal }).catch((error: unknown) => rethrow(error, target));
  }

  /** What the pool holds against it is over. */
  pardon(id: string): void {
    const key = this.keys.find(id);
    if (key) this.pool.pardon(key);
  }

  /** What was open under it is not used again, but by those who use it now. */
  forget(id: string): void {
    const key = this.keys.forget(id);
    if (key) void this.pool.forget(key);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private keyOf({ row: { id }, version }: SshAccess): string {
    const { key, outdated } = this.keys.use(id, version);
    if (outdated) void this.pool.forget(outdated);
    return key;
  }
}

function rethrow(error: unknown, target: SshTarget): never {
  if (error instanceof SiteFailure) {
    const { code, message, remedy } = error;
    throw new SiteFailure(code, hideSecret(message, target), hideSecret(remedy, target));
  }
  if (!(error instanceof SshFailure)) throw error;
  sshFailures.inc({ kind: error.kind });
  throw hideSecretInFailure(error, target);
}

/** What was open may date from before the pin, or from when its owner was an administrator. */
function findObjection({ hostKey: actual, address }: Connection, target: SshTarget): Reason | undefined {
  if (!target.mayConnect(address)) return { kind: 'forbidden', address };
  const expected = target.hostKey ?? actual;
  return expected === actual ? undefined : { kind: 'host-key-changed', expected, actual };
}

export const ruleOf = ({ allows_private: allowsPrivate }: SshAccess) =>
  outboundRule({ allowsPrivate, ranges: env.VIGIE_SSH_ALLOW });

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

/** A hundred sites of one host may each have an account, and must not keep a hundred connections open. */
const siteIdleMs = 10_000;

type UseOptions<T> = { signal: AbortSignal; work: (connection: Connection) => Promise<T> };

/** The open connections to hosts, and how to open one. */
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

  /** Runs work on a pooled connection, which may be open already. */
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

  /** Opens a connection outside of the pool, which the caller must close. */
  async open(access: SshAccess, signal: AbortSignal): Promise<Connection> {
    const target = await this.targetOf(access);
    return connectMeasured(target, { signal }).catch((error: unknown) => rethrow(error, target));
  }

  /** Closes the connections of this row once their current users are done. */
  forget(id: string): void {
    const key = this.keys.forget(id);
    if (key) void this.pool.forget(key);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private keyOf({ row: { id }, version, logins }: SshAccess): string {
    const { key, outdated, isProven } = this.keys.use(id, version, logins);
    // A test, a console or another agent's probe ends the back-off after failed logins.
    if (isProven) this.pool.forgetRefusals(key);
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

/** An open connection may be older than the pinned host key, or than a change of its owner's role. */
function findObjection({ hostKey: actual, address }: Connection, target: SshTarget): Reason | undefined {
  if (!target.mayConnect(address)) return { kind: 'forbidden', address };
  const expected = target.hostKey ?? actual;
  return expected === actual ? undefined : { kind: 'host-key-changed', expected, actual };
}

export const ruleOf = ({ allows_private: allowsPrivate }: SshAccess) =>
  outboundRule({ allowsPrivate, ranges: env.VIGIE_SSH_ALLOW });

import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { SshAccess } from '@vigie/contracts/credentials';
import { serversChanged } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { KeyRing } from '@vigie/service-kit/key-ring';
import { outboundRule } from '@vigie/ssh/addresses';
import type { Connection } from '@vigie/ssh/connection';
import { SshPool } from '@vigie/ssh/pool';
import type { SshTarget } from '@vigie/ssh/target';
import { openCredential } from './credentials/credential';
import { env } from './env';

type Known = { version: number; key: string };
type Use<T> = { signal: AbortSignal; work: (connection: Connection) => Promise<T> };

/** The connections that are open to hosts, and what it takes to open one. */
@Injectable()
export class Connections implements OnApplicationShutdown {
  private readonly pool = new SshPool();
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly keyRing: KeyRing,
    bus: Bus,
  ) {
    bus.subscribe(serversChanged, ({ ids }) => {
      for (const id of ids) this.forget(id);
    });
  }

  async targetOf(access: SshAccess): Promise<SshTarget> {
    const { host, port, user } = access;
    const { password, privateKey } = await openCredential(this.keyRing, access);
    const auth = password === undefined ? { privateKey } : { password };
    return { host, port, user, auth, hostKey: access.host_key, mayConnect: ruleOf(access) };
  }

  /** On a connection that may already be open. */
  async use<T>(access: SshAccess, { signal, work }: Use<T>): Promise<T> {
    const target = await this.targetOf(access);
    return this.pool.use(this.keyOf(access), target, work, { signal });
  }

  /** What was open under it is not used again. */
  forget(id: string): void {
    const known = this.known.get(id);
    this.known.delete(id);
    if (known) void this.pool.forget(known.key);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private keyOf({ row: { id }, version }: SshAccess): string {
    const known = this.known.get(id);
    if (known && known.version < version) this.forget(id);
    const key = `${id}@${version}`;
    if (!known || known.version <= version) this.known.set(id, { version, key });
    return key;
  }
}

export const ruleOf = ({ allows_private: allowsPrivate }: SshAccess) =>
  outboundRule({ allowsPrivate, ranges: env.VIGIE_SSH_ALLOW });

import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Output } from '@vigie/contracts/contract';
import { lookAtServer, type ServerStatus } from '@vigie/contracts/servers';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { DataSource, IsNull } from 'typeorm';
import { env } from '../env';
import { isAdministrator } from '../owners/owners';
import { isCredentialRefusal } from './refusals';
import { type SeenStatus, Server, toAccess, toStatus } from './server.entity';

/** How long what was seen is new enough for whoever asks next. */
const newMs = 15_000;
/** Whoever asks waits this long for a look; slower hosts must not hold up those who ask. */
const patienceMs = 2_500;
const mostAtOnce = 64;

type Look = Output<typeof lookAtServer>;

/** Looks whether servers are there, one look at each at a time, and keeps what was seen. */
@Injectable()
export class Looks {
  private readonly running = new Map<string, Promise<void>>();
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  async statusOf(server: Server, isFresh: boolean): Promise<ServerStatus> {
    const age = Date.now() - Date.parse(server.status?.checked_at ?? '');
    if (!isFresh && age < newMs) return toStatus(server);
    const look = this.running.get(server.id) ?? this.start(server);
    const waiting = new AbortController();
    const isOver = await Promise.race([
      look?.then(() => true),
      wait(patienceMs, false, { signal: waiting.signal }).catch(() => false),
    ]);
    waiting.abort();
    const seen = await this.database.manager.findOneBy(Server, { id: server.id });
    return toStatus(seen ?? server, isOver !== true);
  }

  /** The first key that a server shows is the one it must show from then on. */
  async pin({ id, version }: Server, hostKey: string): Promise<void> {
    await this.database.manager.update(Server, { id, version, hostKey: IsNull() }, { hostKey });
  }

  /** Undefined where too many are under way: what is known is answered meanwhile. */
  private start(server: Server): Promise<void> | undefined {
    if (this.running.size >= mostAtOnce) return undefined;
    const look = this.look(server)
      .catch((error: unknown) => this.log.warn({ err: error, server: server.id }, 'a look at a server failed'))
      .finally(() => this.running.delete(server.id));
    this.running.set(server.id, look);
    return look;
  }

  private async look(server: Server): Promise<void> {
    const { manager } = this.database;
    const access = toAccess(server, await isAdministrator(manager, server.ownerId));
    const isPortOnly = server.refusal !== null;
    const look = await this.bus.call(lookAtServer, { ...access, tcp_only: isPortOnly });
    const { failure, host_key: hostKey } = look;
    const refusal = failure && isCredentialRefusal(failure) ? failure.message : server.refusal;
    const { id, version } = server;
    await manager.update(Server, { id, version }, { status: toSeen(look, refusal), refusal });
    if (hostKey !== null) await this.pin(server, hostKey);
  }
}

function toSeen({ online, uptime_seconds: uptime, method, failure }: Look, refusal: string | null): SeenStatus {
  const now = Date.now();
  return {
    online,
    uptime_seconds: uptime,
    since: uptime === null ? null : new Date(now - uptime * 1000).toISOString(),
    method,
    error: failure?.message ?? (method === 'ssh' ? null : refusal),
    checked_at: new Date(now).toISOString(),
  };
}

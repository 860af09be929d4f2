import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import type { OpinionAnswer, Verdict } from '@vigie/contracts/incidents';
import { askServer } from '@vigie/contracts/site-checks';
import type { SshAccess } from '@vigie/contracts/credentials';
import { Bus } from '@vigie/service-kit/bus';
import { makeLog } from '@vigie/service-kit/log';
import { RepeatingTask } from '@vigie/service-kit/repeating-task';
import { DataSource } from 'typeorm';
import { env } from '../env';
import { isAdministrator } from '../owners/owners';
import { Server, toAccess } from '../servers/server.entity';
import { connectionsOf, effectiveAddress, isCredentialRefused, siteAccess } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import { claimOpinions, saveOpinion } from '../incidents/claim-opinions';

const everyMs = 2_000;
const maxAtOnce = 10;

type SiteQuestion = { site: Site; access: SshAccess | AppError; host: string | undefined; allowsPrivate: boolean };

/**
 * Asks the server of a site that does not answer for a second opinion: the same address from there. Where it gets no answer
 * either, another server of the same owner is the third place.
 */
@Injectable()
export class Opinions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = makeLog('sites-svc', env.VIGIE_LOG_LEVEL);
  private readonly task = new RepeatingTask(this.log, 'no second opinion could be asked', () => this.pass());
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start(everyMs);
  }

  /** Questions that are open are left: their sites are claimed again a minute later. */
  onApplicationShutdown(): Promise<void> {
    return this.task.drain();
  }

  private async pass(): Promise<void> {
    for (const siteId of await claimOpinions(this.database, maxAtOnce - this.running.size)) {
      const asking = this.ask(siteId).catch((error: unknown) =>
        this.log.warn({ err: error, site: siteId }, 'a second opinion could not be asked'),
      );
      this.running.add(asking);
      void asking.finally(() => this.running.delete(asking));
    }
  }

  private async ask(siteId: string): Promise<void> {
    const asked = await this.find(siteId);
    if (!asked) return;
    const own = await this.askFrom(asked.access, asked.site.url);
    const third = hasFailed(own) ? await this.findThird(asked) : undefined;
    const other = third && {
      server_id: third.id,
      server_name: third.name,
      ...(await this.askFrom(toAccess(third, asked.allowsPrivate), asked.site.url)),
    };
    const opinion = {
      verdict: verdictOf(own, other ?? undefined),
      at: new Date().toISOString(),
      own,
      other: other ?? null,
    };
    await saveOpinion(this.database, siteId, opinion);
  }

  private async find(siteId: string): Promise<SiteQuestion | undefined> {
    const { manager } = this.database;
    const site = await manager.findOneBy(Site, { id: siteId });
    const [connection] = site ? await connectionsOf(manager, [site]) : [];
    if (!site || !connection) return undefined;
    const allowsPrivate = await isAdministrator(manager, site.ownerId);
    // Hosts ban the address of a machine that keeps presenting a refused credential.
    const access = isCredentialRefused(connection)
      ? new AppError('conflict', 'L’hôte refuse la connexion SSH de Vigie.')
      : siteAccess(connection, allowsPrivate);
    return { site, access, host: effectiveAddress(site, connection.server)?.host, allowsPrivate };
  }

  /** A server that answered the last probe, on another host. */
  private async findThird({ site, host }: SiteQuestion): Promise<Server | null> {
    return this.database.manager
      .createQueryBuilder(Server, 'v')
      .where({ ownerId: site.ownerId })
      .andWhere("v.host <> :host and v.refusal is null and v.status ->> 'method' = 'ssh'", { host: host ?? '' })
      .andWhere("(v.status ->> 'online')::boolean")
      .orderBy('random()')
      .limit(1)
      .getOne();
  }

  private async askFrom(access: SshAccess | AppError, url: string): Promise<OpinionAnswer> {
    if (access instanceof AppError) return { code: null, ms: null, error: access.message };
    try {
      return await this.bus.call(askServer, { access, url });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { code: null, ms: null, error: error.message };
    }
  }
}

const hasFailed = ({ code }: OpinionAnswer) => code !== null && (code === 0 || code >= 500);

function verdictOf(own: OpinionAnswer, other: OpinionAnswer | undefined): Verdict {
  if (own.code === null) return 'unknown';
  if (!hasFailed(own)) return 'answers_there';
  return other && hasFailed(other) ? 'fails_everywhere' : 'fails_there';
}

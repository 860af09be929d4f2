import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import {
  attachConsole,
  consolesEnding,
  endConsole,
  issueTicket,
  listConsoles,
  openConsole,
  redeemTicket,
} from '@vigie/contracts/consoles';
import type { Input, Output } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { writeAudit } from '@vigie/service-kit/audit';
import { Bus } from '@vigie/service-kit/bus';
import { currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { hashToken } from '@vigie/service-kit/tokens';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { lockOwner } from '../owners/owners';
import { findServer, lockServer } from '../servers/find-server';
import { addressOf } from '../servers/server.entity';
import { findSite, unknownSite } from '../sites/find-site';
import type { Site } from '../sites/site.entity';
import { Console, toConsole } from './console.entity';

const ticketSeconds = 30;
const howToUse = `Ce ticket sert une fois, dans les ${ticketSeconds}\u00a0secondes. Le WebSocket doit envoyer l’en-tête Origin avec l’adresse de Vigie.`;
/** Unused tickets of one person: without a limit they could fill the table. */
const maxTickets = 100;
const maxConsoles = 10;

/** Issues tickets for consoles, and opens, lists and ends consoles. */
@Controller()
export class ConsolesController {
  constructor(
    private readonly database: DataSource,
    private readonly bus: Bus,
  ) {}

  @Handles(issueTicket)
  async ticket({ id }: Input<typeof issueTicket>) {
    const { sub, sid, adminMode } = currentUser();
    const ticket = randomBytes(32).toString('base64url');
    await this.database.transaction(async (manager) => {
      await lockOwner(manager);
      await findServer(manager, id);
      await manager.query('delete from console_tickets where expires_at < now()');
      const inserted: unknown[] = await manager.query(
        `insert into console_tickets (hash, user_id, sid, server_id, admin_mode, expires_at)
         select $1, $2, $3, $4, $5, now() + make_interval(secs => $6)
         where (select count(*) from console_tickets where user_id = $2) < $7 returning hash`,
        [hashToken(ticket), sub, sid, id, adminMode, ticketSeconds, maxTickets],
      );
      if (inserted.length === 0) throw tooMany('Trop de consoles sont demandées à la fois. Attendez un instant.');
    });
    return { ticket, message: howToUse };
  }

  @Handles(redeemTicket)
  async redeem({ ticket_hash: hash, server_id: serverId }: Input<typeof redeemTicket>) {
    const [[ticket]]: [TicketRow[], number] = await this.database.query(
      `delete from console_tickets where hash = $1
       returning user_id, sid, server_id, admin_mode, expires_at > now() as is_fresh`,
      [hash],
    );
    if (!ticket?.is_fresh || ticket.server_id !== serverId) {
      throw new AppError('unauthorized', 'Ce ticket de console n’est pas ou n’est plus valable.');
    }
    return { sub: ticket.user_id, sid: ticket.sid, admin_mode: ticket.admin_mode };
  }

  @Handles(openConsole)
  async open({ server_id: serverId, site_id: siteId }: Input<typeof openConsole>) {
    const { sub, sid, adminMode, email } = currentUser();
    const id = uuid();
    await this.database.transaction(async (manager) => {
      await lockOwner(manager);
      await manager.query("select pg_advisory_xact_lock(hashtextextended('console|' || $1, 0))", [sub]);
      const server = await lockServer(manager, serverId);
      await refuseTooMany(manager, sub, serverId);
      const site = siteId ? await findSiteOn(manager, serverId, siteId) : undefined;
      const { name: serverName, type: serverType } = server;
      const opener = { userId: sub, userEmail: email ?? null, sid, adminMode };
      const row = { id, ...opener, serverId, serverName, serverType, folder: site?.path ?? null };
      await manager.insert(Console, { ...row, ...addressOf(server) });
      await writeAudit(manager, {
        actorId: sub,
        actorName: email ?? null,
        action: 'console_open',
        target: serverName,
        targetId: serverId,
        result: 'done',
        details: { console: id, ...(site && { site: site.name }), ...addressOf(server) },
      });
    });
    return { id };
  }

  @Handles(attachConsole)
  async attach({ id, server_id: serverId }: Input<typeof attachConsole>): Promise<Output<typeof attachConsole>> {
    const { sub } = currentUser();
    const { manager } = this.database;
    const console = await manager.findOneBy(Console, { id, userId: sub, serverId });
    if (!console) throw unknownConsole();
    if (console.endedAt || console.isEnding) return { is_over: true };
    await findServer(manager, serverId);
    return { is_over: false };
  }

  @Handles(listConsoles)
  async list() {
    const where = { userId: currentUser().sub, endedAt: IsNull(), isEnding: false };
    const consoles = await this.database.manager.find(Console, { where, order: { openedAt: 'asc', id: 'asc' } });
    return { items: consoles.map(toConsole) };
  }

  @Handles(endConsole)
  async end({ id }: Input<typeof endConsole>) {
    const ownOpen = { id, userId: currentUser().sub, endedAt: IsNull() };
    const { affected } = await this.database.manager.update(Console, ownOpen, { isEnding: true });
    if (affected !== 1) throw unknownConsole();
    this.bus.publish(consolesEnding, { ids: [id] });
    return {};
  }
}

async function findSiteOn(manager: EntityManager, serverId: string, siteId: string): Promise<Site> {
  const site = await findSite(manager, siteId);
  if (site.serverId !== serverId) throw unknownSite();
  return site;
}

type TicketRow = { user_id: string; sid: string; server_id: string; admin_mode: boolean; is_fresh: boolean };

const unknownConsole = () => new AppError('not_found', 'Cette console n’existe pas ou n’existe plus.');

const tooMany = (message: string) => new AppError('too_many', { message, code: 'too_many' }, { retryAfter: 5 });

async function refuseTooMany(manager: EntityManager, userId: string, serverId: string): Promise<void> {
  const live = { endedAt: IsNull(), isEnding: false };
  if ((await manager.countBy(Console, { ...live, userId })) >= maxConsoles) {
    throw tooMany(`Vous avez déjà ${maxConsoles} consoles ouvertes\u00a0: fermez-en une pour en ouvrir une autre.`);
  }
  if ((await manager.countBy(Console, { ...live, serverId })) >= maxConsoles) {
    throw tooMany(`Ce serveur a déjà ${maxConsoles} consoles ouvertes\u00a0: fermez-en une pour en ouvrir une autre.`);
  }
}

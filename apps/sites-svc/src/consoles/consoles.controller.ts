import { randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { endConsole, issueSiteTicket, issueTicket, listConsoles } from '@vigie/contracts/consoles';
import { attachConsole, consolesEnding, openConsole, redeemTicket } from '@vigie/contracts/shells';
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
import { addressOf } from '../servers/server.entity';
import { checkPlace, lockPlace, type Place } from './console-places';
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
    return this.createTicket({ server_id: id });
  }

  @Handles(issueSiteTicket)
  async ticketOfSite({ id }: Input<typeof issueSiteTicket>) {
    return this.createTicket({ site_id: id });
  }

  private async createTicket(place: Place) {
    const { sub, sid, adminMode } = currentUser();
    const { server_id: serverId = null, site_id: siteId = null } = place;
    const ticket = randomBytes(32).toString('base64url');
    await this.database.transaction(async (manager) => {
      await lockOwner(manager);
      await checkPlace(manager, place);
      await manager.query('delete from console_tickets where expires_at < now()');
      const inserted: unknown[] = await manager.query(
        `insert into console_tickets (hash, user_id, sid, server_id, site_id, admin_mode, expires_at)
         select $1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7)
         where (select count(*) from console_tickets where user_id = $2) < $8 returning hash`,
        [hashToken(ticket), sub, sid, serverId, siteId, adminMode, ticketSeconds, maxTickets],
      );
      if (inserted.length === 0) throw tooMany('Trop de consoles sont demandées à la fois. Attendez un instant.');
    });
    return { ticket, message: howToUse };
  }

  @Handles(redeemTicket)
  async redeem({ ticket_hash: hash, ...place }: Input<typeof redeemTicket>) {
    const [[ticket]]: [TicketRow[], number] = await this.database.query(
      `delete from console_tickets where hash = $1
       returning user_id, sid, server_id, site_id, admin_mode, expires_at > now() as is_fresh`,
      [hash],
    );
    const { server_id: serverId = null, site_id: siteId = null } = place;
    if (!ticket?.is_fresh || ticket.server_id !== serverId || ticket.site_id !== siteId) {
      throw new AppError('unauthorized', 'Ce ticket de console n’est pas ou n’est plus valable.');
    }
    return { sub: ticket.user_id, sid: ticket.sid, admin_mode: ticket.admin_mode };
  }

  @Handles(openConsole)
  async open(input: Input<typeof openConsole>) {
    const { sub, sid, adminMode, email } = currentUser();
    const id = uuid();
    await this.database.transaction(async (manager) => {
      await lockOwner(manager);
      await manager.query("select pg_advisory_xact_lock(hashtextextended('console|' || $1, 0))", [sub]);
      const { folderOf, ...place } = await lockPlace(manager, input);
      await refuseTooMany(manager, sub, place);
      const opener = { userId: sub, userEmail: email ?? null, sid, adminMode };
      await manager.insert(Console, { id, ...opener, ...place });
      await writeAudit(manager, {
        actorId: sub,
        actorName: email ?? null,
        action: 'console_open',
        target: place.name,
        targetId: place.serverId ?? place.siteId,
        result: 'done',
        details: { console: id, ...(folderOf !== undefined && { site: folderOf }), ...addressOf(place) },
      });
    });
    return { id };
  }

  @Handles(attachConsole)
  async attach({ id, ...place }: Input<typeof attachConsole>): Promise<Output<typeof attachConsole>> {
    const { manager } = this.database;
    const { sub, sid, token } = currentUser();
    // A token returns only to its own: a person may have become another user of the machine in theirs.
    const console = await manager.findOneBy(Console, { id, userId: sub, ...(token !== undefined && { sid }) });
    if (!console || console.serverId !== (place.server_id ?? null) || console.siteId !== (place.site_id ?? null))
      throw unknownConsole();
    if (console.endedAt || console.isEnding) return { is_over: true };
    await checkPlace(manager, place);
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

type TicketRow = {
  user_id: string;
  sid: string;
  server_id: string | null;
  site_id: string | null;
  admin_mode: boolean;
  is_fresh: boolean;
};

const unknownConsole = () => new AppError('not_found', 'Cette console n’existe pas ou n’existe plus.');

const tooMany = (message: string) => new AppError('too_many', { message, code: 'too_many' }, { retryAfter: 5 });

async function refuseTooMany(
  manager: EntityManager,
  userId: string,
  { serverId, siteId }: Pick<Console, 'serverId' | 'siteId'>,
): Promise<void> {
  const live = { endedAt: IsNull(), isEnding: false };
  if ((await manager.countBy(Console, { ...live, userId })) >= maxConsoles) {
    throw tooMany(`Vous avez déjà ${maxConsoles} consoles ouvertes\u00a0: fermez-en une pour en ouvrir une autre.`);
  }
  const place = serverId === null ? { siteId: siteId ?? IsNull() } : { serverId };
  if ((await manager.countBy(Console, { ...live, ...place })) >= maxConsoles) {
    const owner = serverId === null ? 'Ce site' : 'Ce serveur';
    throw tooMany(`${owner} a déjà ${maxConsoles} consoles ouvertes\u00a0: fermez-en une pour en ouvrir une autre.`);
  }
}

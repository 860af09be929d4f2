import { Injectable } from '@nestjs/common';
import { ConsoleSize } from '@vigie/contracts/consoles';
import { attachConsole, openConsole, redeemTicket } from '@vigie/contracts/shells';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import { findSessions } from '@vigie/contracts/session-checks';
import { id } from '@vigie/contracts/text';
import { Bus } from '@vigie/service-kit/bus';
import type { ActingUser } from '@vigie/service-kit/context';
import { currentContext } from '@vigie/service-kit/context';
import { hashToken } from '@vigie/service-kit/tokens';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { toActingUser } from '../acting-user';
import { ownOrigins } from '../own-origins';
import { RequestBudget } from '../request-budget';

const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const side = z.coerce.number().int();

const ConsoleRequest = z.object({
  id,
  cols: side.default(80).pipe(ConsoleSize.shape.cols),
  rows: side.default(24).pipe(ConsoleSize.shape.rows),
  console: id.optional(),
  /** A new console begins in the folder of this site. */
  site: id.optional(),
  from: count.default(0),
  /** How many bytes of input the client has sent; the shell answers how many it has. */
  input: count.optional(),
  client: id.optional(),
});

/** The server or the site that the address names. */
export type Place = { server_id?: string; site_id?: string };

/** A console that a user was admitted to. */
export type ConsoleAccess = {
  user: ActingUser;
  console: string;
  isNew: boolean;
  isOver: boolean;
  from: number;
  size: ConsoleSize;
  client: string | undefined;
};

/** Decides who may open or attach to a console, before there is a WebSocket. */
@Injectable()
export class ConsoleAdmission {
  private readonly origins = ownOrigins();

  constructor(
    private readonly bus: Bus,
    private readonly budget: RequestBudget,
  ) {}

  async admit(request: FastifyRequest, kind: keyof Place): Promise<ConsoleAccess> {
    const input = ConsoleRequest.safeParse({ ...Object(request.query), ...Object(request.params) });
    if (!input.success) throw toAppError(input.error);
    const consoleRequest = input.data;
    const place: Place = { [kind]: consoleRequest.id };
    const user = await this.userOf(ticketOf(request), place);
    // A foreign page may have sent the browser here, or have read the ticket. It is refused once the ticket is used up.
    if (!this.origins.has(request.headers.origin ?? '')) {
      throw new AppError('forbidden', 'Cette console ne s’ouvre que depuis Vigie.');
    }
    const context = currentContext();
    if (!context) throw new Error('the request has no context');
    context.user = user;
    const { from, client } = consoleRequest;
    return {
      user,
      from,
      client,
      size: sizeOf(consoleRequest),
      ...(await this.openOrAttach(place, consoleRequest)),
    };
  }

  private async userOf(ticket: string, place: Place): Promise<ActingUser> {
    const hash = hashToken(ticket);
    const { sid, sub, admin_mode } = await this.bus.call(redeemTicket, { ticket_hash: hash, ...place });
    this.budget.spend(`session:${sid}`);
    const { items } = await this.bus.call(findSessions, { sids: [sid] });
    const session = items.find((each) => each.sub === sub && !each.is_restricted);
    if (!session) throw new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');
    return toActingUser(session, admin_mode);
  }

  private async openOrAttach(place: Place, { console, site }: z.output<typeof ConsoleRequest>) {
    if (console === undefined) {
      const opened = await this.bus.call(openConsole, { site_id: site, ...place });
      return { console: opened.id, isNew: true, isOver: false };
    }
    const { is_over: isOver } = await this.bus.call(attachConsole, { id: console, ...place });
    return { console, isNew: false, isOver };
  }
}

const sizeOf = ({ cols, rows }: ConsoleSize) => ({ cols, rows });

function ticketOf({ query }: FastifyRequest): string {
  const ticket: unknown = Object(query).ticket;
  if (typeof ticket === 'string' && /^[A-Za-z0-9_-]{43}$/.test(ticket)) return ticket;
  throw new AppError('unauthorized', 'Une console s’ouvre avec un ticket.');
}

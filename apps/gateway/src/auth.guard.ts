import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import type { Session } from '@vigie/contracts/sessions';
import { currentContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Overload } from './overload';
import { RequestBudget } from './request-budget';
import { type Access, accessKey, type AccessRule, accessRules } from './routes';
import { SessionCache } from './session-cache';
import { untilOver } from './sockets';

const bearer = /^Bearer ([A-Za-z0-9_-]{43})$/i;

/** Lets a request through by its route's policy, and says in the request's context who is acting. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionCache,
    private readonly budget: RequestBudget,
    private readonly overload: Overload,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access: Access = Reflect.getMetadata(accessKey, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const rule: AccessRule = accessRules[access];
    if (rule.needsSession) {
      const session = await requireSession(this.sessions, request, rule);
      this.admit(session, rule, request);
      untilOver(http.getResponse<FastifyReply>(), this.overload.enterAs(session.sub));
    } else if (access === 'guest') await this.greet(request);
    return true;
  }

  private admit(session: Session, rule: AccessRule, request: FastifyRequest): void {
    this.budget.spend(`session:${session.sid}`);
    this.actAs(session, request);
    request.joinTrace?.();
    if (session.is_restricted && !rule.forRestricted) {
      const message = 'Activez d’abord la double authentification\u00a0: les réglages de l’application l’exigent.';
      throw new AppError('forbidden', { message, code: 'requires_2fa_setup' });
    }
    if (rule.adminsOnly && session.role !== 'admin') {
      throw new AppError('forbidden', 'Accès réservé aux administrateurs.');
    }
  }

  /** A bearer that is worth nothing is a guest like any other. */
  private async greet(request: FastifyRequest): Promise<void> {
    const token = tokenOf(request);
    const session = token && (await this.sessions.find(token));
    if (session && !session.is_restricted) this.actAs(session, request);
  }

  /** `X-User-Id` carries no authority; `X-Admin-Mode` only widens what an administrator sees. */
  private actAs({ sid, sub, role, email, name, is_restricted }: Session, request: FastifyRequest): void {
    const current = currentContext();
    if (!current) throw new Error('a request without a context');
    const adminMode = role === 'admin' && request.headers['x-admin-mode'] === '1';
    current.user = { sid, sub, role, email, name, adminMode };
    if (is_restricted) current.user.isRestricted = true;
  }
}

/** Whose request it is, asked anew where what was known a moment ago is not enough. */
export async function requireSession(
  sessions: SessionCache,
  request: FastifyRequest,
  { asksEachTime = false }: Pick<AccessRule, 'asksEachTime'>,
): Promise<Session> {
  const token = tokenOf(request);
  if (!token) throw new AppError('unauthorized', 'Veuillez vous connecter.');
  const session = asksEachTime ? await sessions.findNow(token) : await sessions.find(token);
  if (!session) throw new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');
  return session;
}

const tokenOf = ({ headers }: FastifyRequest) => bearer.exec(headers.authorization ?? '')?.[1];

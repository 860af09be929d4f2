import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '@vigie/contracts/errors';
import type { Session } from '@vigie/contracts/sessions';
import { currentContext } from '@vigie/service-kit/context';
import type { FastifyRequest } from 'fastify';
import { RequestBudget } from './request-budget';
import { type Access, accessKey } from './routes';
import { SessionCache } from './session-cache';

const bearer = /^Bearer ([A-Za-z0-9_-]{43})$/i;

/** Lets a request through by its route's policy, and says in the request's context who is acting. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionCache,
    private readonly budget: RequestBudget,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access: Access = Reflect.getMetadata(accessKey, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (access === 'public') return true;
    const session = await this.sessionOf(request, access);
    this.budget.spend(`session:${session.sid}`);
    this.actAs(session, request);
    if (access === 'admin' && session.role !== 'admin') {
      throw new AppError('forbidden', 'Accès réservé aux administrateurs.');
    }
    return true;
  }

  private async sessionOf(request: FastifyRequest, access: Access): Promise<Session> {
    const token = bearer.exec(request.headers.authorization ?? '')?.[1];
    if (!token) throw new AppError('unauthorized', 'Veuillez vous connecter.');
    const session = access === 'admin' ? await this.sessions.findNow(token) : await this.sessions.find(token);
    if (!session) throw new AppError('unauthorized', 'Votre session a expiré. Veuillez vous reconnecter.');
    return session;
  }

  /** `X-User-Id` carries no authority; `X-Admin-Mode` only widens what an administrator sees. */
  private actAs({ sid, sub, role }: Session, request: FastifyRequest): void {
    const current = currentContext();
    if (!current) throw new Error('a request without a context');
    current.user = { sid, sub, role, adminMode: role === 'admin' && request.headers['x-admin-mode'] === '1' };
  }
}

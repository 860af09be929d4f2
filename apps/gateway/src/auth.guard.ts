import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { Access } from '@vigie/contracts/routes';
import type { Session } from '@vigie/contracts/session-checks';
import { type ActingUser, currentContext } from '@vigie/service-kit/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toActingUser } from './acting-user';
import { Admission } from './admission';
import { RequestBudget } from './request-budget';
import { accessKey, type AccessRule, accessRules, contractKey, needsSession } from './routes';
import { isApiToken, SessionCache } from './session-cache';
import { releaseOnClose } from './sockets';

const bearer = /^Bearer ((?:vgt_)?[A-Za-z0-9_-]{43})$/i;

/** Checks a request against the access policy of its route, and puts the user into the request's context. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly sessions: SessionCache,
    private readonly budget: RequestBudget,
    private readonly admission: Admission,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access: Access = Reflect.getMetadata(accessKey, context.getHandler());
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const rule: AccessRule = accessRules[access];
    if (rule.needsSession) {
      const session = await requireSession(this.sessions, request, rule);
      this.authorize(session, rule, request);
      const contract = Reflect.getMetadata(contractKey, context.getHandler());
      if (contract || !rule.forAnyToken) refuseMissingScope(session, contract);
      releaseOnClose(http.getResponse<FastifyReply>(), this.admission.admitUser(session.sub));
    } else if (access === 'guest') await this.identifyGuest(request);
    return true;
  }

  private authorize(session: Session, rule: AccessRule, request: FastifyRequest): void {
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

  /** A bearer that is not valid counts as a guest, and so does a token. */
  private async identifyGuest(request: FastifyRequest): Promise<void> {
    const token = tokenOf(request);
    const session = token && (await this.sessions.find(token));
    if (session && !session.is_restricted && !session.scopes) this.actAs(session, request);
  }

  /** `X-User-Id` carries no authority. */
  private actAs(session: Session, request: FastifyRequest): void {
    const current = currentContext();
    if (!current) throw new Error('the request has no context');
    current.user = toActingUser(session, request.headers['x-admin-mode'] === '1');
  }
}

/** A token calls only contracts whose scope it has: a route that names none needs a person. */
export function refuseMissingScope({ scopes }: Pick<ActingUser, 'scopes'>, contract: Contract | undefined): void {
  if (!scopes) return;
  const scope = contract?.scope;
  if (!scope) throw needsSession();
  if (scopes.includes(scope)) return;
  throw new AppError('forbidden', `Ce jeton n’a pas le droit «\u00a0${scope}\u00a0»\u00a0: créez-en un qui l’a.`);
}

const tokenEnded = 'Ce jeton n’existe pas, a expiré ou a été révoqué\u00a0: créez-en un autre dans Vigie.';
const sessionEnded = 'Votre session a expiré. Veuillez vous reconnecter.';

/** The session of a request. `skipsCache` asks auth-svc again instead of trusting an answer of the last seconds. */
export async function requireSession(
  sessions: SessionCache,
  request: FastifyRequest,
  { skipsCache = false }: Pick<AccessRule, 'skipsCache'>,
): Promise<Session> {
  const token = tokenOf(request);
  if (!token) throw new AppError('unauthorized', 'Veuillez vous connecter.');
  const session = skipsCache ? await sessions.findNow(token) : await sessions.find(token);
  if (!session) throw new AppError('unauthorized', isApiToken(token) ? tokenEnded : sessionEnded);
  return session;
}

const tokenOf = ({ headers }: FastifyRequest) => bearer.exec(headers.authorization ?? '')?.[1];

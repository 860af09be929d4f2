import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import { checkSession, findSessions } from '@vigie/contracts/session-checks';
import {
  type Login,
  listSessions,
  login,
  type LoginResult,
  logout,
  revokeSession,
  type Signup,
  signup,
} from '@vigie/contracts/sessions';
import { writeAudit } from '@vigie/service-kit/audit';
import { callerAddress, currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { type EntityManager, In, MoreThan, QueryFailedError, Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { env } from '../env';
import { Passwords } from '../passwords/passwords';
import { revokeResetLinks } from '../passwords/replace-password';
import { TokenSessions } from '../tokens/token-sessions';
import { graceLogins, TwoFactorPolicies } from '../two-factor/policies';
import { SecondFactors } from '../two-factor/second-factors';
import { lockFirstUser } from '../users/lock-user';
import { nameOf, toUserView, User } from '../users/user.entity';
import { AttemptLimits } from './attempt-limits';
import { lifetimeMs, OpenSessions, type SessionOptions } from './open-sessions';
import { Session } from './session.entity';

/** A session extended more recently than this is not written again, so that reads stay reads. */
const extendEveryMs = 5 * 60_000;

@Controller()
export class SessionsController {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly limits: AttemptLimits,
    private readonly passwords: Passwords,
    private readonly openSessions: OpenSessions,
    private readonly secondFactors: SecondFactors,
    private readonly policies: TwoFactorPolicies,
    private readonly tokenSessions: TokenSessions,
  ) {}

  @Handles(login)
  async login(input: Login): Promise<LoginResult> {
    const { email, password } = input;
    await this.limits.admit(email, callerAddress());
    const user = await this.users.findOneBy({ email });
    const isRight = await this.passwords.isRight(user?.passwordHash, password);
    if (!user || !isRight) throw await this.countRefusal(email, 'password', wrongPassword());
    // Parallel attempts may have filled the counters meanwhile: even a right guess is then refused.
    await this.limits.refuseFull(email, callerAddress());
    if (user.twoFactorAt) return this.loginWithCode(user, input);
    return (await this.policies.appliesTo(user)) ? this.loginInGrace(user, input) : this.open(user, input);
  }

  private async loginWithCode(user: User, input: Login): Promise<LoginResult> {
    const question = await this.secondFactors.ask(user, input);
    if (question) return question;
    await this.limits.reserve(user.email, callerAddress());
    const answer = await this.secondFactors.accept(user, input);
    const isCounted = 'refusal' in answer && !answer.isExpired;
    if (!isCounted) await this.limits.release(user.email, callerAddress());
    if ('refusal' in answer)
      throw await this.refuseAnswer(user.email, input.passkey ? 'passkey' : 'code', answer.refusal);
    return this.open(user, input, { passkey: answer.passkey });
  }

  private async loginInGrace(user: User, input: Pick<Login, 'skip_2fa' | 'user_agent'>): Promise<LoginResult> {
    const remaining = graceLogins - user.graceUsed;
    if (remaining > 0 && !input.skip_2fa) {
      return {
        grace_period: true,
        grace_remaining: remaining,
        message:
          'La double authentification est obligatoire. Activez-la avant d’avoir utilisé les connexions restantes.',
      };
    }
    const left = remaining > 0 ? await this.policies.useGrace(user) : undefined;
    if (left !== undefined) return { ...(await this.open(user, input)), grace_remaining: left };
    return {
      ...(await this.open(user, input, { isRestricted: true })),
      requires_2fa_setup: true,
      message: 'Activez la double authentification pour continuer.',
    };
  }

  @Handles(signup)
  async signup({ email, password, user_agent }: Signup): Promise<LoginResult> {
    await this.limits.countSignup(callerAddress());
    // Checked before hashing, to refuse cheaply, and again under the lock, to be sure.
    if (await this.isSignupClosed(this.users.manager)) throw signupClosed();
    const passwordHash = await this.passwords.hash(password);
    const user = await this.users.manager.transaction(async (manager) => {
      await lockFirstUser(manager);
      if (await this.isSignupClosed(manager)) throw signupClosed();
      const role = (await manager.exists(User)) ? 'client' : 'admin';
      const names = { firstName: null, lastName: null };
      const added = manager.create(User, { id: uuid(), email, passwordHash, role, ...names, twoFactorAt: null });
      await manager.insert(User, added).catch(refuseTakenEmail);
      await revokeResetLinks(manager, email);
      await writeAudit(manager, {
        actorId: added.id,
        actorName: email,
        action: 'signup',
        result: 'done',
        details: { role },
      });
      return added;
    });
    // A new account has no second factor, so the policy counts the sign-up as a login without one.
    const isRequired = await this.policies.appliesTo(user);
    return isRequired ? this.loginInGrace(user, { user_agent, skip_2fa: true }) : this.open(user, { user_agent });
  }

  @Handles(logout)
  async logout() {
    const { sid } = currentUser();
    this.openSessions.announce(await this.openSessions.end(this.sessions.manager, { id: sid }));
    return {};
  }

  @Handles(listSessions)
  async list() {
    const { sub, sid } = currentUser();
    const where = { userId: sub, expiresAt: MoreThan(new Date()) };
    const sessions = await this.sessions.find({ where, order: { seenAt: 'desc' }, take: 100 });
    return { items: sessions.map((session) => toOpenSession(session, sid)) };
  }

  @Handles(revokeSession)
  async revoke({ id }: Input<typeof revokeSession>) {
    const { sub } = currentUser();
    const ended = await this.sessions.manager.transaction(async (manager) => {
      const sids = await this.openSessions.end(manager, { id, userId: sub });
      if (sids.length === 0) throw new AppError('not_found', 'Cette session n’existe pas ou n’existe plus.');
      const actorName = (await manager.findOneBy(User, { id: sub }))?.email ?? null;
      await writeAudit(manager, { actorId: sub, actorName, action: 'session_revoke', targetId: id, result: 'done' });
      return sids;
    });
    this.openSessions.announce(ended);
    return {};
  }

  @Handles(checkSession)
  async check({ token_hash: tokenHash }: Input<typeof checkSession>) {
    const session = await this.sessions.findOne({ ...withUser, where: { tokenHash, expiresAt: MoreThan(new Date()) } });
    return { session: session && toSession(session, await this.extend(session)) };
  }

  /** Also finds tokens. Reading a session here does not extend it: its user need not be active. */
  @Handles(findSessions)
  async findLive({ sids }: Input<typeof findSessions>) {
    const sessions = await this.sessions.find({
      ...withUser,
      where: { id: In(sids), expiresAt: MoreThan(new Date()) },
    });
    const people = sessions.map((session) => toSession(session, session.expiresAt));
    return { items: [...people, ...(await this.tokenSessions.find(sids))] };
  }

  private async extend({ id, expiresAt }: Session): Promise<Date> {
    const extended = new Date(Date.now() + lifetimeMs);
    if (extended.getTime() - expiresAt.getTime() < extendEveryMs) return expiresAt;
    await this.sessions.update({ id }, { expiresAt: extended, seenAt: new Date() });
    return extended;
  }

  private async open(user: User, { user_agent: userAgent }: Pick<Login, 'user_agent'>, options: SessionOptions = {}) {
    return { access_token: await this.openSessions.open(user, { ...options, userAgent }), user: toUserView(user) };
  }

  private async countRefusal(email: string, reason: string, refusal: AppError): Promise<AppError> {
    // The failure is counted first, so that an attempt is never free when its audit line cannot be written.
    const answer = await this.limits.countFailure(email, callerAddress(), refusal);
    await this.audit(email, reason);
    return answer;
  }

  private async refuseAnswer(email: string, reason: 'code' | 'passkey', refusal: AppError): Promise<AppError> {
    await this.audit(email, reason);
    return refusal;
  }

  /** Does the same work for a known and an unknown account. */
  private audit(email: string, reason: string): Promise<void> {
    const entry = { actorId: null, actorName: email, action: 'login', result: 'refused' as const, details: { reason } };
    return this.users.manager.transaction((manager) => writeAudit(manager, entry));
  }

  private async isSignupClosed(manager: EntityManager): Promise<boolean> {
    return env.VIGIE_ALLOW_SIGNUP !== '1' && (await manager.exists(User));
  }
}

const wrongPassword = () => new AppError('unauthorized', 'Email ou mot de passe incorrect.');

const signupClosed = () =>
  new AppError('forbidden', 'La création de compte est désactivée. Demandez un compte à un administrateur.');

export function refuseTakenEmail(error: unknown): never {
  const isTaken = error instanceof QueryFailedError && error.driverError.code === '23505';
  throw isTaken ? new AppError('conflict', 'Un compte existe déjà avec cet email.') : error;
}

/** A session with the fields of its user that callers are told. */
const withUser = {
  select: {
    id: true,
    userId: true,
    expiresAt: true,
    isRestricted: true,
    user: { id: true, role: true, email: true, firstName: true, lastName: true },
  },
  relations: { user: true },
} as const;

const toSession = ({ id: sid, userId: sub, isRestricted, user }: Session, expiresAt: Date) => ({
  sid,
  sub,
  role: user.role,
  email: user.email,
  name: nameOf(user),
  expires_at: expiresAt.toISOString(),
  is_restricted: isRestricted,
});

const toOpenSession = (session: Session, current: string) => ({
  id: session.id,
  address: session.address,
  user_agent: session.userAgent,
  created_at: session.createdAt.toISOString(),
  seen_at: session.seenAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
  is_current: session.id === current,
});

import { createHash, randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { AppError } from '@vigie/contracts/errors';
import {
  checkSession,
  type Login,
  login,
  logout,
  type Signup,
  sessionsRevoked,
  signup,
} from '@vigie/contracts/sessions';
import type { Input } from '@vigie/contracts/contract';
import { Bus } from '@vigie/service-kit/bus';
import { currentContext, currentUser } from '@vigie/service-kit/context';
import { Handles } from '@vigie/service-kit/handles';
import { type EntityManager, MoreThan, QueryFailedError, Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { env } from '../env';
import { lockFirstUser } from '../users/first-admin';
import { toUserView, User } from '../users/user.entity';
import { LoginLimits } from './login-limits';
import { Passwords } from './passwords';
import { Session } from './session.entity';

const lifetimeMs = 12 * 60 * 60_000;
/** A session that slid less than this ago is not written again: reads stay reads. */
const slideEveryMs = 5 * 60_000;

@Controller()
export class SessionsController {
  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly limits: LoginLimits,
    private readonly passwords: Passwords,
    private readonly bus: Bus,
  ) {}

  @Handles(login)
  async login({ email, password }: Login) {
    await this.limits.admit(email, callerAddress());
    const user = await this.users.findOneBy({ email });
    const isRight = await this.passwords.isRight(user?.passwordHash, password);
    if (!user || !isRight) throw await this.limits.countFailure(email, callerAddress());
    // Other attempts may have filled the counters meanwhile: a right guess among too many is refused like the rest.
    await this.limits.admit(email, callerAddress());
    return this.open(user);
  }

  @Handles(signup)
  async signup({ email, password }: Signup) {
    await this.limits.countSignup(callerAddress());
    // Looked at before hashing, to refuse cheaply, and again under the lock, to refuse surely.
    if (await this.isSignupClosed(this.users.manager)) throw signupClosed();
    const passwordHash = await this.passwords.hash(password);
    const user = await this.users.manager.transaction(async (manager) => {
      await lockFirstUser(manager);
      if (await this.isSignupClosed(manager)) throw signupClosed();
      const role = (await manager.exists(User)) ? 'client' : 'admin';
      const added = manager.create(User, { id: uuid(), email, passwordHash, role, firstName: null, lastName: null });
      await manager.insert(User, added).catch(refuseTakenEmail);
      return added;
    });
    return this.open(user);
  }

  @Handles(logout)
  async logout() {
    const { sid } = currentUser();
    await this.sessions.delete({ id: sid });
    this.bus.publish(sessionsRevoked, { sids: [sid] });
    return {};
  }

  @Handles(checkSession)
  async check({ token_hash: tokenHash }: Input<typeof checkSession>) {
    const session = await this.sessions.findOne({
      where: { tokenHash, expiresAt: MoreThan(new Date()) },
      relations: { user: true },
    });
    if (!session) return { session: null };
    const expiresAt = await this.slide(session);
    return {
      session: { sid: session.id, sub: session.userId, role: session.user.role, expires_at: expiresAt.toISOString() },
    };
  }

  private async slide({ id, expiresAt }: Session): Promise<Date> {
    const later = new Date(Date.now() + lifetimeMs);
    if (later.getTime() - expiresAt.getTime() < slideEveryMs) return expiresAt;
    await this.sessions.update({ id }, { expiresAt: later, seenAt: new Date() });
    return later;
  }

  private async open(user: User) {
    const token = randomBytes(32).toString('base64url');
    await this.sessions.insert({
      id: uuid(),
      userId: user.id,
      tokenHash: createHash('sha256').update(token).digest('hex'),
      address: callerAddress(),
      seenAt: new Date(),
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    return { access_token: token, user: toUserView(user) };
  }

  private async isSignupClosed(manager: EntityManager): Promise<boolean> {
    return env.VIGIE_ALLOW_SIGNUP !== '1' && (await manager.exists(User));
  }
}

const callerAddress = () => currentContext()?.address ?? 'unknown';

const signupClosed = () =>
  new AppError('forbidden', 'La création de compte est désactivée. Demandez un compte à un administrateur.');

function refuseTakenEmail(error: unknown): never {
  const isTaken = error instanceof QueryFailedError && error.driverError.code === '23505';
  throw isTaken ? new AppError('conflict', 'Un compte existe déjà avec cet email.') : error;
}

import 'reflect-metadata';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  Req,
  UnauthorizedException,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { User as UserView } from '@vigie/contracts/users';
import type { FastifyRequest } from 'fastify';
import pg from 'pg';
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation, MoreThan, Repository } from 'typeorm';
import { Sessions } from './sessions';

@Entity('users')
class User {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  email!: string;

  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('text', { name: 'first_name', nullable: true })
  firstName!: string | null;

  @Column('text', { name: 'last_name', nullable: true })
  lastName!: string | null;

  @Column('text')
  role!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

@Entity('sessions')
class Session {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: 'user_id' })
  user!: Relation<User>;

  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}

type Request = FastifyRequest & { userId?: string };

@Injectable()
class AuthGuard implements CanActivate {
  private readonly sessions: Sessions;

  constructor(@InjectRepository(Session) stored: Repository<Session>) {
    this.sessions = new Sessions((tokenHash) =>
      stored.findOne({ where: { tokenHash, expiresAt: MoreThan(new Date()) }, relations: { user: true } }),
    );
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const session = await this.sessions.find(request.headers.authorization);
    if (!session) throw new UnauthorizedException();
    request.userId = session.userId;
    return true;
  }
}

@Controller('api/auth')
class UsersController {
  constructor(@InjectRepository(User) private readonly users: Repository<User>) {}

  @Get('me')
  async me(@Req() { userId = '' }: Request) {
    const user = await this.users.findOneBy({ id: userId });
    if (!user) throw new UnauthorizedException();
    const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email;
    const { id, email, firstName: first_name, lastName: last_name, role } = user;
    return UserView.parse({ id, email, name, first_name, last_name, role, is_admin: role === 'admin' });
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      driver: pg,
      url: process.env['DATABASE_URL'] ?? '',
      schema: 'auth',
      entities: [User, Session],
      extra: { max: 10 },
    }),
    TypeOrmModule.forFeature([User, Session]),
  ],
  controllers: [UsersController],
  providers: [{ provide: APP_GUARD, useClass: AuthGuard }],
})
// oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is its decorator
class Monolith {}

const app = await NestFactory.create<NestFastifyApplication>(Monolith, new FastifyAdapter(), { logger: false });
await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(await app.getUrl());

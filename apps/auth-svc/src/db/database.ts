import type { Database } from '@vigie/service-kit/database';
import { Session } from '../sessions/session.entity';
import { User } from '../users/user.entity';
import { CreateUsersAndSessions1795250000000 } from './migrations/1795250000000-create-users-and-sessions';

export const database: Database = {
  schema: 'auth',
  entities: [User, Session],
  migrations: [CreateUsersAndSessions1795250000000],
};

import type { Database } from '@vigie/service-kit/database';
import { Activity } from '../activity/activity.entity';
import { CreateActivity1795262400000 } from './migrations/1795262400000-create-activity';

export const database: Database = {
  schema: 'sites',
  entities: [Activity],
  migrations: [CreateActivity1795262400000],
};

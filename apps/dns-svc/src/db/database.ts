import type { Database } from '@vigie/service-kit/database';

export const database: Database = { schema: 'dns', entities: [], migrations: [] };

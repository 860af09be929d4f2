import type { SealedColumn } from '@vigie/service-kit/resealer';
import { apiKeySealContext } from '../config/config.entity';

export const sealedColumns: readonly SealedColumn[] = [
  { table: 'configs', id: 'id', column: 'api_key', sealContext: ({ id }) => apiKeySealContext(String(id)) },
];

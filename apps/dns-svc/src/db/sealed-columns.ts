import type { SealedColumn } from '@vigie/service-kit/resealer';
import { placeOfApiKey } from '../config/config.entity';

/** All that this service keeps sealed. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'configs', id: 'id', column: 'api_key', place: ({ id }) => placeOfApiKey(String(id)) },
];

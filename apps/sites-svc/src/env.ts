import { isStoreUrl, storeRefusal } from '@vigie/files/open-store';
import { baseEnv, databaseEnv, loadEnv, redisEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(
  z.object({
    ...baseEnv,
    ...databaseEnv,
    ...redisEnv,
    VIGIE_STORE: z.string().refine(isStoreUrl, storeRefusal),
    /** How often each server is looked at; 0: only when somebody asks. */
    VIGIE_HEALTH_SECONDS: z.coerce.number().int().min(0).max(86_400).default(60),
    /** How often what nobody holds any more is taken back. */
    VIGIE_RECONCILE_SECONDS: z.coerce.number().int().min(1).max(30).default(10),
    /** How often the files of each site are read. */
    VIGIE_SCAN_SECONDS: z.coerce.number().int().min(0).max(86_400).default(300),
    /** How often each site is visited. */
    VIGIE_VISIT_SECONDS: z.coerce.number().int().min(0).max(86_400).default(300),
    /** How often WordPress itself is asked. */
    VIGIE_INSPECT_SECONDS: z.coerce.number().int().min(0).max(604_800).default(21_600),
    /** What the archives of plugins and themes of one person may weigh together. */
    VIGIE_UPLOADS_MEGABYTES: z.coerce.number().int().min(1).max(1_048_576).default(5_120),
  }),
);

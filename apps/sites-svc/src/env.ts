import { isStoreUrl, storeRefusal } from '@vigie/files/file-store';
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
  }),
);

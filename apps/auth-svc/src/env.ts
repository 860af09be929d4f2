import { baseEnv, databaseEnv, loadEnv, redisEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(
  z.object({
    ...baseEnv,
    ...databaseEnv,
    ...redisEnv,
    VIGIE_HOME: z.string().optional(),
    VIGIE_ADMIN_EMAIL: z.string().optional(),
    VIGIE_ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').optional(),
    VIGIE_ALLOW_SIGNUP: z.enum(['0', '1']).default('0'),
  }),
);

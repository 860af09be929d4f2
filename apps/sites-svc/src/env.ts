import { baseEnv, databaseEnv, loadEnv, redisEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(z.object({ ...baseEnv, ...databaseEnv, ...redisEnv }));

import { baseEnv, databaseEnv, loadEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(z.object({ ...baseEnv, ...databaseEnv }));

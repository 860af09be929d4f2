import { baseEnv, databaseEnv, loadEnv, redisEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(
  z.object({
    ...baseEnv,
    ...databaseEnv,
    ...redisEnv,
    VIGIE_CLOUDFLARE_URL: z.url({ protocol: /^https?$/ }).default('https://api.cloudflare.com/client/v4'),
    /** Seconds between two checks of a zone; 0 turns the checks off. */
    VIGIE_DNS_LOOK_SECONDS: z.coerce.number().int().min(0).max(604_800).default(86_400),
  }),
);

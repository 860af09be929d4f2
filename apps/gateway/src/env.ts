import { isStoreUrl, storeRefusal } from '@vigie/files/open-store';
import { baseEnv, loadEnv, port, redisEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(
  z.object({
    ...baseEnv,
    ...redisEnv,
    PORT: port.default(8080),
    /** The built web app. */
    VIGIE_WEB_ROOT: z.string(),
    VIGIE_STORE: z.string().refine(isStoreUrl, storeRefusal),
    VIGIE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** How many proxies in front of the gateway are ours. Only their `X-Forwarded-For` is trusted. */
    VIGIE_TRUSTED_HOPS: z.coerce.number().int().min(0).max(10).default(0),
    VIGIE_REQUESTS_PER_MINUTE: z.coerce.number().int().min(60).default(30_000),
  }),
);

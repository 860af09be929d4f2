import { isStoreUrl, storeRefusal } from '@vigie/files/open-store';
import { baseEnv, databaseEnv, loadEnv, redisEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(
  z.object({
    ...baseEnv,
    ...databaseEnv,
    ...redisEnv,
    /** Base URL of the links in messages. */
    VIGIE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:8080'),
    VIGIE_STORE: z.string().refine(isStoreUrl, storeRefusal),
    /** Interval of server probes; 0 probes only on request. */
    VIGIE_HEALTH_SECONDS: z.coerce.number().int().min(0).max(86_400).default(60),
    /** Interval for taking back jobs whose worker is lost. */
    VIGIE_RECONCILE_SECONDS: z.coerce.number().int().min(1).max(30).default(10),
    /** Interval of file scans of each site. */
    VIGIE_SCAN_SECONDS: z.coerce.number().int().min(0).max(86_400).default(300),
    /** Interval of HTTP visits of each site. */
    VIGIE_VISIT_SECONDS: z.coerce.number().int().min(0).max(86_400).default(60),
    /** Interval of inspections, which start WordPress. */
    VIGIE_INSPECT_SECONDS: z.coerce.number().int().min(0).max(604_800).default(21_600),
    /** Quota of one person's plugin and theme archives. */
    VIGIE_UPLOADS_MEGABYTES: z.coerce.number().int().min(1).max(1_048_576).default(5_120),
  }),
);

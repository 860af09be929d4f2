import { Signup } from '@vigie/contracts/sessions';
import { baseEnv, databaseEnv, loadEnv, redisEnv } from '@vigie/service-kit/env';
import { z } from 'zod';

export const env = loadEnv(
  z.object({
    ...baseEnv,
    ...databaseEnv,
    ...redisEnv,
    VIGIE_HOME: z.string().optional(),
    VIGIE_ADMIN_EMAIL: Signup.shape.email.optional(),
    VIGIE_ADMIN_PASSWORD: Signup.shape.password.optional(),
    VIGIE_ALLOW_SIGNUP: z.enum(['0', '1']).default('0'),
    /** Base URL of the links in mails. */
    VIGIE_PUBLIC_URL: z.url({ protocol: /^https?$/ }).default('http://localhost:8080'),
    VIGIE_SENDGRID_URL: z.url({ protocol: /^https?$/ }).default('https://api.sendgrid.com'),
    VIGIE_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  }),
);

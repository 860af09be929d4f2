import { defineConfig } from '@playwright/test';
import { env } from './e2e/env';

export default defineConfig({
  testDir: './e2e',
  // The policy is everybody's while it holds: its stories come when the others are over.
  projects: [
    { name: 'stories', testMatch: '**/*.e2e.ts', testIgnore: '**/policy.e2e.ts' },
    { name: 'policy', testMatch: '**/policy.e2e.ts', dependencies: ['stories'] },
  ],
  outputDir: '../../test-results/web',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: env.url,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    colorScheme: 'light',
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: env.chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});

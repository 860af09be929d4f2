import { defineConfig } from '@playwright/test';
import { env } from './e2e/env';

const everybodys = '**/{policy,settings,notifications,outage-mails}.e2e.ts';
const fleets = '**/{changes,changes-plans,backups,restores,site-repairs,sites-fleet,zones}.e2e.ts';

export default defineConfig({
  testDir: './e2e',
  // The longest files come first, because one worker runs a whole file. The last ones change settings of all users, so
  // they run one at a time after all others.
  projects: [
    { name: 'fleets', testMatch: fleets },
    { name: 'stories', testMatch: '**/*.e2e.ts', testIgnore: [fleets, everybodys] },
    { name: 'settings', testMatch: everybodys, dependencies: ['fleets', 'stories'], workers: 1 },
  ],
  outputDir: '../../test-results/web',
  fullyParallel: true,
  workers: 3,
  // Against hanging, not to measure: a busy machine that is a third as fast as others takes its time.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    baseURL: env.url,
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    colorScheme: 'light',
    viewport: { width: 1440, height: 900 },
    // A quarter of the time went into drawing what moves; those few stories that are about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // A context of its own for each story would compile the whole interface each time.
    reuseContext: true,
    // A trace of every story costs more than it tells: `--trace retain-on-failure` makes them where one is needed.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: env.chromium,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        // One process fewer to hand each frame to.
        '--in-process-gpu',
        '--font-render-hinting=none',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});

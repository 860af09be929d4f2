import { expect } from '@playwright/test';
import { bearer, test as base } from './people';

type Settings = { app_name: string; default_sender_email: string | null; require_2fa: string };

/** `appSettings` holds the settings before the story. All stories share them, so they are restored afterwards. */
export const test = base.extend<{ appSettings: Settings }>({
  appSettings: [
    async ({ request, adminSession }, use) => {
      const headers = bearer(adminSession.access_token);
      const appSettings: Settings = await (await request.get('/api/settings/app', { headers })).json();
      await use(appSettings);
      const answer = await request.post('/api/settings/app', { data: appSettings, headers });
      expect(answer.status(), await answer.text()).toBe(200);
    },
    { auto: true },
  ],
});

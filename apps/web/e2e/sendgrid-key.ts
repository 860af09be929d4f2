import { expect } from '@playwright/test';
import { test as base } from './app-settings';
import { bearer } from './people';

/** `setKey` saves the key of the installation, which the fake SendGrid accepts or not. */
export const test = base.extend<{ setKey: (key: string | null) => Promise<void> }>({
  setKey: async ({ request, adminSession }, use) => {
    await use(async (key) => {
      const headers = bearer(adminSession.access_token);
      const answer = await request.post('/api/settings/notifications', { data: { sendgrid_api_key: key }, headers });
      expect(answer.status(), await answer.text()).toBe(200);
    });
  },
});

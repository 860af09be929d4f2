import { expect, type Page } from '@playwright/test';
import type { ReceivedMail } from '@vigie/testing/sendgrid';
import { test as base } from './app-settings';
import { env } from './env';
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

/** The mails that the fake SendGrid received for this address, the oldest first. */
export async function fetchMailsTo(page: Page, email: string): Promise<ReceivedMail[]> {
  const received: ReceivedMail[] = await (await page.request.get(`${env.sendgrid}/mails`)).json();
  return received.filter(({ to }) => to === email);
}

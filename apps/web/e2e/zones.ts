import { randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { env } from './env';
import { test as base } from './machines';
import { bearer } from './people';

type Account = {
  cloudflare: FakeCloudflare;
  accountId: string;
  email: string;
  key: string;
  token: string;
  /** A domain that nobody else has. */
  domain: (word?: string) => string;
};
type Fixtures = { account: Account; linked: Page };

/** `account`: of this test alone, at a Cloudflare that only the tests know; `linked` has it configured already. */
export const test = base.extend<Fixtures, { cloudflare: FakeCloudflare }>({
  cloudflare: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use) => {
      base.skip(env.cloudflarePort === undefined, 'the product asks another Cloudflare');
      const cloudflare = await FakeCloudflare.start(Number(env.cloudflarePort));
      await use(cloudflare);
      await cloudflare.close();
    },
    { scope: 'worker' },
  ],
  account: async ({ cloudflare }, use) => {
    const own = randomBytes(4).toString('hex');
    const [email, key, token] = [`dns@${own}.fr`, `cle-${own}`, `jeton-${own}`];
    const accountId = cloudflare.addAccount(email, key);
    cloudflare.addToken(accountId, token);
    await use({ cloudflare, accountId, email, key, token, domain: (word = 'exemple') => `${word}-${own}.fr` });
  },
  linked: async ({ keeping: page, keeper, account: { email, key } }, use) => {
    const data = { email, api_key: key };
    const answer = await page.request.post('/api/cloudflare/config', { data, headers: bearer(keeper.token) });
    expect(answer.status(), await answer.text()).toBe(201);
    await use(page);
  },
});

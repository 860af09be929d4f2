import { randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { FakeCloudflare } from '@vigie/testing/cloudflare';
import { env } from './env';
import { test as base } from './machines';
import { bearer } from './people';

type Account = {
  cloudflare: FakeCloudflare;
  email: string;
  key: string;
  token: string;
  /** Adds the login of another person who has all permissions in the account. */
  addLogin: () => { email: string; api_key: string };
  /** Returns a domain that no other story uses. */
  domain: (word?: string) => string;
  /** Creates the zone of that domain at the fake Cloudflare. */
  addZone: (word?: string, records?: readonly object[], status?: 'active' | 'pending') => { id: string };
  /** Returns the records stored at the fake Cloudflare. Changing them simulates a change outside Vigie. */
  storedRecords: (zone: { id: string }) => ReturnType<FakeCloudflare['recordsOf']>;
};
type Fixtures = { account: Account; cloudflarePage: Page };

/** `account` is a Cloudflare account created for one test, and `cloudflarePage` a page whose owner has configured it. */
export const test = base.extend<Fixtures, { cloudflare: FakeCloudflare }>({
  cloudflare: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter
    async ({}, use) => {
      base.skip(env.cloudflarePort === undefined, 'the fake Cloudflare has no port');
      const cloudflare = await FakeCloudflare.start(Number(env.cloudflarePort));
      await use(cloudflare);
      await cloudflare.close();
    },
    { scope: 'worker' },
  ],
  account: async ({ cloudflare }, use) => {
    const suffix = randomBytes(4).toString('hex');
    const [email, key, token] = [`dns@${suffix}.fr`, `cle-${suffix}`, `jeton-${suffix}`];
    const accountId = cloudflare.addAccount(email, key);
    cloudflare.addToken(accountId, token);
    const domain = (word = 'exemple') => `${word}-${suffix}.fr`;
    await use({
      cloudflare,
      email,
      key,
      token,
      addLogin: () => {
        const login = { email: `autre@${suffix}.fr`, api_key: `autre-cle-${suffix}` };
        cloudflare.addKey(accountId, login.email, login.api_key);
        return login;
      },
      domain,
      addZone: (word, records, status) => cloudflare.addZone(accountId, domain(word), records, status),
      storedRecords: ({ id }) => cloudflare.recordsOf(id),
    });
  },
  cloudflarePage: async ({ ownerPage: page, owner, account: { email, key } }, use) => {
    const data = { email, api_key: key };
    const answer = await page.request.post('/api/cloudflare/config', { data, headers: bearer(owner.token) });
    expect(answer.status(), await answer.text()).toBe(201);
    await use(page);
  },
});

export const toasts = (page: Page) => page.getByRole('region', { name: 'Messages' });
export const tab = (page: Page, name: string) => page.getByRole('tab', { name });
export const lines = (page: Page) => page.getByRole('table', { name: 'Enregistrements' }).getByRole('row');
export const line = (page: Page, text: string) => lines(page).filter({ hasText: text });
export const openRecords = (page: Page, { id }: { id: string }) => page.goto(`/cloudflare?tab=dns&zone=${id}`);
export const aRecord = (name: string, content = '203.0.113.10') => ({ type: 'A', name, content, ttl: 3600 });

const searchLabels = {
  site: 'Chercher un site sans zone',
  zone: 'Chercher une zone libre',
  link: 'Rechercher un site lié',
} as const;

/** Pretends that there are 3000 sites and zones, so that the fields have to search on the server. */
export async function searchAmongMany(
  page: Page,
  queries: Readonly<Record<keyof typeof searchLabels, string>>,
): Promise<void> {
  await page.route(/\/api\/cloudflare\/(sites\/|zones\?)/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), total: 3_000 } });
  });
  await page.reload();
  for (const field of ['site', 'zone', 'link'] as const) {
    const text = queries[field];
    const response = page.waitForResponse((answer) => answer.url().includes(`q=${text}`));
    await page.getByRole('searchbox', { name: searchLabels[field] }).fill(text);
    await response;
  }
  await page.unrouteAll();
}

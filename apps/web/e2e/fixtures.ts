import { randomUUID } from 'node:crypto';
import { type APIRequestContext, test as base, expect, type Locator, type Page, type Request } from '@playwright/test';
import { recordControls } from './controls';
import { env } from './env';

type Session = { access_token: string; user: { id: string; email: string; first_name: string | null } };

/** A refused call is an answer the product expects; whatever else the browser complains about is a fault. */
const isExpected = (text: string, url: string) => text.startsWith('Failed to load resource') && url.includes('/api/');

/** What is wrong on any page, whatever the test is about. */
function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !isExpected(message.text(), message.location().url)) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== new URL(env.url).origin)
      faults.push(`foreign origin: ${request.url()}`);
  });
  return faults;
}

export async function fillLogin(page: Page, email = env.email, password = env.password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter' }).click();
}

/** A new session of the administrator, for whoever is about to spoil it. */
export async function logInByApi(request: APIRequestContext): Promise<Session> {
  const answer = await request.post('/api/auth/login', { data: { email: env.email, password: env.password } });
  expect(answer.status()).toBe(200);
  const session: Session = await answer.json();
  return session;
}

/** Puts a token where the login would, before the next screen loads, and once: a page that clears it stays logged out. */
export async function storeToken(page: Page, token: string, extraKeys: Record<string, string> = {}): Promise<void> {
  const store = ({ id, keys }: { id: string; keys: Record<string, string> }) => {
    if (location.origin === 'null' || sessionStorage.getItem(id)) return;
    sessionStorage.setItem(id, 'stored');
    for (const [key, value] of Object.entries(keys)) localStorage.setItem(key, value);
  };
  await page.addInitScript(store, { id: randomUUID(), keys: { access_token: token, ...extraKeys } });
}

type Fixtures = { faults: string[]; expectedFaults: RegExp[]; loggedIn: Page };

export const test = base.extend<Fixtures, { adminSession: Session }>({
  expectedFaults: [[], { option: true }],
  context: async ({ context }, use, { workerIndex }) => {
    const finish = await recordControls(context, workerIndex);
    await use(context);
    await finish();
    await context.clearPermissions();
  },
  faults: [
    async ({ page, expectedFaults }, use) => {
      const faults = watchFaults(page);
      await use(faults);
      expect(faults.filter((fault) => !expectedFaults.some((expected) => expected.test(fault)))).toEqual([]);
    },
    { auto: true },
  ],
  // One login for a worker: the tests are about the pages, and a hash costs.
  adminSession: [
    async ({ playwright }, use) => {
      const request = await playwright.request.newContext({ baseURL: env.url });
      await use(await logInByApi(request));
      await request.dispose();
    },
    { scope: 'worker' },
  ],
  loggedIn: async ({ page, adminSession }, use) => {
    await storeToken(page, adminSession.access_token);
    await use(page);
  },
});

/** As if another tab were in front of it. */
export const hidePage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('visibilitychange'));
  });

export const apiCalls = (page: Page): Request[] => {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request);
  });
  return calls;
};

/** These calls wait until what is given back is called; then the server answers them, or whoever stood in for it. */
export async function holdCalls(page: Page, path: string | RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(path, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

type FailingList = { path: string; calls: string; sentence: string };

/** Opens a list that cannot be loaded, which says so, and asks for it again. */
export async function expectRetryAfterFailure(page: Page, { path, calls, sentence }: FailingList): Promise<void> {
  const main = page.getByRole('main');
  await page.route(calls, (route) => route.abort());
  await page.goto(path);
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(sentence);
  await expect(main.getByText(sentence)).toBeVisible();
  await page.unroute(calls);
  await main.getByRole('button', { name: 'Réessayer' }).click();
  await expect(main.getByText(sentence)).toHaveCount(0);
}

/** Until it holds, in small steps of a clock that stands still: what is answered is drawn with the page's next frame. */
export async function stepUntil(page: Page, condition: () => Promise<boolean>): Promise<void> {
  const step = async () => {
    await page.clock.runFor(100);
    return condition();
  };
  await expect.poll(step).toBe(true);
}

/** From here on it goes on only as far as a story lets it. It cannot stop in the past, however long this takes. */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 60_000);
}

/**
 * Presses the button there that asks again, once this lets the answer through. What is asked for every few seconds
 * anyway would take the button away first: the clock of the page, which a story installs before it opens it, stands still.
 */
export async function clickRetry(page: Page, container: Locator, restoreCalls: () => Promise<void>): Promise<void> {
  const retryButton = container.getByRole('button', { name: 'Réessayer' });
  await stopClock(page);
  await stepUntil(page, () => retryButton.isEnabled());
  await restoreCalls();
  await retryButton.click();
  await page.clock.resume();
}

import { randomUUID } from 'node:crypto';
import { type APIRequestContext, test as base, expect, type Locator, type Page, type Request } from '@playwright/test';
import { recordControls } from './controls';
import { env } from './env';

type Session = { access_token: string; user: { id: string; email: string; first_name: string | null } };

/** The browser logs every refused API call as an error, but the product expects such answers. */
const isExpected = (text: string, url: string) => text.startsWith('Failed to load resource') && url.includes('/api/');

/** Collects uncaught errors, console errors and warnings, and requests to other origins. */
function watchFaults(page: Page, address: string): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !isExpected(message.text(), message.location().url)) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== new URL(address).origin)
      faults.push(`foreign origin: ${request.url()}`);
  });
  return faults;
}

export async function fillLogin(page: Page, email = env.email, password = env.password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
}

/** Opens a new session of the administrator, for a story that ends or changes its session. */
export async function logInByApi(request: APIRequestContext): Promise<Session> {
  const answer = await request.post('/api/auth/login', { data: { email: env.email, password: env.password } });
  expect(answer.status()).toBe(200);
  const session: Session = await answer.json();
  return session;
}

/** Stores a token before the next page loads, and only once, so that a page which clears it stays logged out. */
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
    async ({ page, expectedFaults, baseURL }, use) => {
      const faults = watchFaults(page, baseURL ?? env.url);
      await use(faults);
      expect(faults.filter((fault) => !expectedFaults.some((expected) => expected.test(fault)))).toEqual([]);
    },
    { auto: true },
  ],
  // Each worker logs in once, because hashing a password is slow.
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

/** Makes the page believe that it is in a background tab. */
export const hidePage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('visibilitychange'));
  });

export const recordApiCalls = (page: Page): Request[] => {
  const calls: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request);
  });
  return calls;
};

/** Pauses matching requests until the returned function is called. Routes set earlier then answer them. */
export async function pauseRequests(page: Page, path: string | RegExp): Promise<() => void> {
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

/** Opens a list that fails to load, checks its error message, and retries successfully. */
export async function expectRetryAfterFailure(page: Page, { path, calls, sentence }: FailingList): Promise<void> {
  const main = page.getByRole('main');
  await page.route(calls, (route) => route.abort());
  await installClock(page);
  await page.goto(path);
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText(sentence);
  await expect(main.getByText(sentence)).toBeVisible();
  await clickRetry(page, main, () => page.unroute(calls));
  await expect(main.getByText(sentence)).toHaveCount(0);
}

/** Shorter than the time-out of any call, which the page's clock drives too. */
const maxStepMs = 10_000;

/** How many calls of the page have not been answered to their last byte. */
type CallCount = { openCalls: number };

function countCalls(): void {
  const page: Window & CallCount = Object.assign(window, { openCalls: 0 });
  const send = page.fetch.bind(page);
  const end = () => (page.openCalls -= 1);
  page.fetch = async (...call) => {
    page.openCalls += 1;
    try {
      const answer = await send(...call);
      void answer.clone().arrayBuffer().then(end, end);
      return answer;
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** The pages that are opened from now on count their calls for `awaitAnswers`. */
export const countOpenCalls = (page: Page) => page.addInitScript(countCalls);

/** Replaces the clock of the pages that are opened from now on. They count their calls too. */
export async function installClock(page: Page, time?: number): Promise<void> {
  await countOpenCalls(page);
  await page.clock.install(time === undefined ? {} : { time });
}

/** Asks the page itself: a request that it has just made may not have been heard of here. */
export const awaitAnswers = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => (globalThis as unknown as CallCount).openCalls)).toBe(0);

/**
 * Whether a button can be clicked and no call runs: a running call would swallow the click. Answers at once, where
 * Playwright would wait for a button that a stopped clock does not bring back.
 */
const canRetry = (button: Locator): Promise<boolean> =>
  button.evaluateAll(
    (found) =>
      (globalThis as unknown as CallCount).openCalls === 0 &&
      found.some((each) => !(each as HTMLButtonElement).disabled),
  );

/** Advances a stopped clock in small steps until a retry button can be clicked, because answers are drawn in the next frame. */
export async function runClockUntilRetry(page: Page, button: Locator): Promise<void> {
  const step = async () => {
    if (await canRetry(button)) return true;
    await page.clock.runFor(100);
    return false;
  };
  await expect.poll(step).toBe(true);
}

/** Advances the page's clock in steps that wait for the answers to their calls, so that no call times out. */
export async function advanceClock(page: Page, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= maxStepMs) {
    await page.clock.runFor(Math.min(leftMs, maxStepMs));
    await awaitAnswers(page);
  }
}

/** Less than Vigie takes to repeat a lost read as often as it does by itself. */
export const pauseAheadMs = 5_000;

/** Stops the page's clock a little ahead, because Playwright cannot pause it in the past. */
export async function stopClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + pauseAheadMs);
}

/**
 * Restores the calls and clicks the retry button of the container. The story has to install the page's clock before it
 * opens the page: this stops the clock, because a poll would otherwise succeed first and remove the button.
 */
export async function clickRetry(
  page: Page,
  container: Locator,
  restoreCalls: () => Promise<void>,
  name = 'Réessayer',
): Promise<void> {
  const retryButton = container.getByRole('button', { name });
  await stopClock(page);
  await runClockUntilRetry(page, retryButton);
  await restoreCalls();
  await retryButton.click();
  await page.clock.resume();
}

/** Adds up how far the parts of a page move while it loads, as Chromium counts it; what follows an input does not count. */
export async function measureShift(page: Page, path: string): Promise<number> {
  await page.addInitScript(() => {
    let sum = 0;
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean };
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries as Shift[]) if (!entry.hadRecentInput) sum += entry.value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(globalThis, {
      readShift: () => {
        add(observer.takeRecords());
        return sum;
      },
    });
  });
  await page.goto(path);
  await expect(page.getByRole('main')).toBeVisible();
  await expect(page.locator('[data-loading]')).toHaveCount(0);
  // The fonts and the frame after the last answer count too.
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return Object(globalThis).readShift();
  });
}

/** For what waits for a whole job on real sites: against hanging, not to measure. */
export const longTimeout = { timeout: 180_000 };

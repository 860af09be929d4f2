import { expect, type Page } from '@playwright/test';

export const desktop = { width: 1440, height: 900 };
export const phone = { width: 360, height: 740 };

/** For `test.use`. */
export const onPhone = { viewport: phone, hasTouch: true, isMobile: true };

/** The layout of a window that has just changed its size settles a moment later. */
export const expectNoOverflow = (page: Page) =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth))
    .toBeLessThanOrEqual(0);

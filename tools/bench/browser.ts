import { type Browser, chromium as driver } from '@playwright/test';
import { Refusal, fr } from '../terminal';
import { findChromium } from '../test/chromium';
import type { Workbench } from './workbench';

/** Returns the path of Chromium, before a measurement that needs it takes its time. */
export function requireChromium(): string {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Refusal(fr`Chromium manque : installez le paquet chromium, puis relancez.`);
  return executablePath;
}

export async function openBrowser(bench: Workbench, executablePath: string): Promise<Browser> {
  const browser = await driver.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  bench.atEnd(() => browser.close());
  return browser;
}

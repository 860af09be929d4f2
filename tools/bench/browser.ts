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

export const launchBrowser = (executablePath: string): Promise<Browser> =>
  driver.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });

export async function openBrowser(bench: Workbench, executablePath: string): Promise<Browser> {
  const browser = await launchBrowser(executablePath);
  bench.atEnd(() => browser.close());
  return browser;
}

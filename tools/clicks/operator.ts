import type { Locator, Page } from '@playwright/test';

/** How long the work of a job may take, such as the updates of five sites. */
export const workTimeoutMs = 300_000;

/** Clicks and types as a person does, and counts it. The clock runs from the first click. */
export class Operator {
  clicks = 0;
  keys = 0;
  /** From the first click until the screen said that the work is accepted, or showed what was wanted. */
  acceptedMs: number | undefined;
  /** From the first click until the screen said that the work has ended; undefined if there was none to wait for. */
  endedMs: number | undefined;
  private startedAt: number | undefined;

  constructor(readonly page: Page) {}

  /** Refuses what a person cannot click: an element that is covered, disabled or not there. */
  async click(target: Locator): Promise<void> {
    await target.waitFor();
    this.startedAt ??= performance.now();
    this.clicks += 1;
    await target.click();
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  async waitAccepted(sign: Locator): Promise<void> {
    await sign.waitFor();
    this.acceptedMs = this.elapsed();
  }

  async waitEnded(sign: Locator): Promise<void> {
    await sign.waitFor({ timeout: workTimeoutMs });
    this.noteEnded();
  }

  noteEnded(): void {
    this.endedMs = this.elapsed();
  }

  private readonly elapsed = () => performance.now() - (this.startedAt ?? performance.now());
}

import { expect, type Locator, type Page } from '@playwright/test';

/** Chooses a segment once it stands still. What the address keeps is chosen a moment after the click. */
export async function chooseSegment(part: Page | Locator, name: string): Promise<void> {
  const radio = part.getByRole('radio', { name });
  await radio.click();
  await expect(radio).toBeChecked();
}

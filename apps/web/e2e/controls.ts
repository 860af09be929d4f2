import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { countStart } from '@vigie/testing/counts';
import { env } from './env';

const folder = env.controls;

/** Identifies a control by its screen and its accessible name; without a name it is a dialog that axe has checked. */
type Control = { place: string; name?: string };

/* Playwright runs this function in the page, so its helpers are nested in it. */
/* oxlint-disable unicorn/consistent-function-scoping */

/** Reports each control once it is used, under every name that it has from then on. */
function watchControls(): void {
  const selector =
    'button, a[href], input:not([type=hidden]), select, textarea, summary, ' +
    '[role=button], [role=tab], [role=menuitem], [role=checkbox], [role=switch], [role=combobox], [role=slider]';
  // The panel of a menu has no role, because any control may stand in it.
  const dialogs = '[role=dialog], .mantine-Popover-dropdown > section';
  const reportedKeys = new Set<string>();
  const usedControls = new Map<Element, string>();
  const textOf = (node: Node): string => {
    if (node instanceof Text) return node.data;
    if (!(node instanceof HTMLElement) || node.ariaHidden === 'true' || node.matches('style, script')) return '';
    return [...node.childNodes].map(textOf).join(' ');
  };
  const byIds = (ids: string) =>
    ids
      .split(/\s+/)
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
  const labelOf = (element: Element) => {
    const ids = element.getAttribute('aria-labelledby');
    return element.getAttribute('aria-label') ?? (ids === null ? '' : byIds(ids));
  };
  const isField = (element: Element): element is HTMLInputElement => 'labels' in element && !element.matches('button');
  const nameOf = (element: Element) => {
    const group = element.matches('[type=radio]') ? element.closest('[role=radiogroup], fieldset') : null;
    if (group) return labelOf(group) || textOf(group.querySelector('legend') ?? group);
    const labels = isField(element) ? [...(element.labels ?? [])].map(textOf).join(' ') : textOf(element);
    return labelOf(element) || labels || element.getAttribute('placeholder') || element.getAttribute('title') || '';
  };
  /** Returns the path of the screen with its tab, because a tab counts as a screen. */
  const placeOf = (element: Element) => {
    const tab = new URLSearchParams(location.search).get('tab') ?? '';
    const dialog = element.closest(dialogs);
    if (dialog) return `${location.pathname} dialog ${labelOf(dialog)}`;
    return !element.closest('main') && document.querySelector('main') ? 'frame' : `${location.pathname} ${tab}`.trim();
  };
  const send = (control: Control) => {
    const key = JSON.stringify(control);
    if (reportedKeys.has(key)) return;
    reportedKeys.add(key);
    void (window as unknown as { vigieControl: (control: Control) => Promise<void> })
      .vigieControl(control)
      .catch(() => undefined);
  };
  const report = (place: string, element: Element) => {
    const name = nameOf(element).replace(/\s+/g, ' ').trim();
    if (name !== '') send({ place, name });
  };
  const onUse = (event: Event) => {
    const target = event.composedPath()[0];
    const element = target instanceof Element ? target.closest(selector) : null;
    // A sort button is named after its column, so it is not counted as a control.
    if (!element || element.matches(':disabled, [aria-disabled=true], thead th button')) return;
    if (event.type === 'keydown' && !(isField(element) && (event as KeyboardEvent).key.length === 1)) return;
    usedControls.set(element, placeOf(element));
    report(placeOf(element), element);
  };
  for (const type of ['pointerdown', 'click', 'input', 'change', 'keydown']) window.addEventListener(type, onUse, true);
  window.addEventListener('axe', ({ target }) => send({ place: placeOf(target as Element) }), true);
  // A control that changes its name after its use counts as used under the new name too.
  new MutationObserver(() => {
    for (const [element, place] of usedControls)
      if (element.isConnected) report(place, element);
      else usedControls.delete(element);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** Records the used controls and counts the page loads of a context. The returned function writes the record. */
export async function recordControls(context: BrowserContext, worker: number): Promise<() => Promise<void>> {
  if (folder === undefined) return async () => undefined;
  const lines: string[] = [];
  const countLoads = (page: Page) => void page.on('domcontentloaded', () => countStart('pages'));
  for (const page of context.pages()) countLoads(page);
  context.on('page', countLoads);
  await context.exposeBinding('vigieControl', (_, control: Control) => void lines.push(`${JSON.stringify(control)}\n`));
  await context.addInitScript(watchControls);
  return async () => {
    await appendFile(join(folder, `${worker}.jsonl`), lines.join(''));
  };
}

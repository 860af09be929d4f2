import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { env } from './env';

const folder = env.controls;

/** A control as a person tells it from others: where it is, what it is and what it is called. */
type Control = { place: string; role: string; name: string; isUsed: boolean };

/* These run in the page, so they carry their helpers with them. */
/* oxlint-disable unicorn/consistent-function-scoping */

/** Tells of each control once, when it is first shown and when it is first used. */
function watchControls(): void {
  const selector =
    'button, a[href], input:not([type=hidden]), select, textarea, summary, ' +
    '[role=button], [role=tab], [role=menuitem], [role=checkbox], [role=switch], [role=combobox], [role=slider]';
  // A story may stop the clock of the page.
  const later = window.setTimeout.bind(window);
  const told = new Set<string>();
  const used = new WeakSet<Element>();
  const namesOf = new WeakMap<Element, Set<string>>();
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
    const labels = isField(element) ? [...(element.labels ?? [])].map(textOf).join(' ') : textOf(element);
    const name =
      labelOf(element) || labels || element.getAttribute('placeholder') || element.getAttribute('title') || '';
    return name.replace(/\s+/g, ' ').trim();
  };
  const roleOf = (element: Element) => {
    const type = element.getAttribute('type') ?? 'text';
    if (element.matches('a')) return element.origin === location.origin ? 'link' : 'outside';
    return element.getAttribute('role') ?? (element.matches('input') ? type : element.localName);
  };
  const screen: { title: Element | null; text: string; path: string } = { title: null, text: '', path: '' };
  /** The address is already that of the next screen while the one before is still there, or drawn once more. */
  const lookWhere = () => {
    const title = document.querySelector('h1');
    const text = title?.textContent ?? '';
    const isSame = title !== null && text === screen.text;
    if (isSame && (title === screen.title || location.pathname !== screen.path)) return;
    Object.assign(screen, { title, text, path: location.pathname });
  };
  const placeOf = (element: Element) => {
    const dialog = element.closest('dialog, [role=dialog], [role=alertdialog]');
    if (dialog) return `dialog ${labelOf(dialog)}`;
    if (!element.closest('main') && document.querySelector('main')) return 'frame';
    return `screen ${screen.text}@${screen.path}`;
  };
  const describe = (element: Element) => {
    // The heads that a table is sorted by are one control.
    if (element.matches('thead th button')) return JSON.stringify([placeOf(element), 'sort', '', '']);
    const group = element.matches('[type=radio]') ? element.closest('[role=radiogroup], fieldset') : null;
    const name = group ? labelOf(group) || textOf(group.querySelector('legend') ?? group) : nameOf(element);
    const path = element.matches('a') ? new URL(element.href).pathname : '';
    const target = path === screen.path ? '.' : path;
    return JSON.stringify([placeOf(element), roleOf(element), name.trim(), target]);
  };
  const tell = (key: string, isUsed: boolean) => {
    if (told.has(`${key}${isUsed}`)) return;
    told.add(`${key}${isUsed}`);
    const [place, role, name, target] = JSON.parse(key);
    void (window as unknown as { vigieControl: (control: object) => Promise<void> })
      .vigieControl({ place, role, name, target, isUsed })
      .catch(() => undefined);
  };
  /** A dialog that goes has lost its title already. */
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('[inert], [aria-hidden=true]') === null &&
    placeOf(element) !== 'dialog ';
  const note = (element: Element) => {
    const key = describe(element);
    const names = namesOf.get(element) ?? new Set();
    namesOf.set(element, names.add(key));
    tell(key, false);
    // What is called otherwise once it was used is still the one that was used.
    if (used.has(element)) for (const name of names) tell(name, true);
  };
  const use = (event: Event) => {
    const target = event.composedPath()[0];
    const element = target instanceof Element ? target.closest(selector) : null;
    if (!element || element.matches(':disabled, [aria-disabled=true]')) return;
    if (event.type === 'keydown' && !(isField(element) && (event as KeyboardEvent).key.length === 1)) return;
    used.add(element);
    note(element);
  };
  let isDue = false;
  const look = () => {
    isDue = false;
    // On the way to another screen some links are still of the one, and some of the other already.
    if (location.pathname !== screen.path) return;
    // What was told already need not be laid out once more.
    for (const element of document.querySelectorAll(selector))
      if (used.has(element) || (!told.has(`${describe(element)}false`) && isShown(element))) note(element);
  };
  // What stands there when somebody acts or leaves is noted before it can go, however fast that is.
  for (const type of ['pointerdown', 'keydown', 'pagehide']) window.addEventListener(type, look, true);
  Object.assign(window, { vigieLook: look });
  for (const type of ['pointerdown', 'click', 'input', 'change', 'keydown']) window.addEventListener(type, use, true);
  new MutationObserver(() => {
    lookWhere();
    if (isDue) return;
    isDue = true;
    later(look, 200);
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

/** What a context of a browser shows and is used for, until what is given back is called. */
export async function recordControls(context: BrowserContext, worker: number): Promise<() => Promise<void>> {
  if (folder === undefined) return async () => undefined;
  const lines: string[] = [];
  await context.exposeBinding('vigieControl', (_, control: Control) => void lines.push(JSON.stringify(control)));
  await context.addInitScript(watchControls);
  return async () => {
    const look = () => (window as { vigieLook?: () => void }).vigieLook?.();
    for (const page of context.pages()) await page.evaluate(look).catch(() => undefined);
    await appendFile(join(folder, `${worker}.jsonl`), lines.map((line) => `${line}\n`).join(''));
  };
}

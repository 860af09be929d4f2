/* These functions run in the page, so their helpers must be inside them. */
/* oxlint-disable unicorn/consistent-function-scoping */

/** Returns elements without a name or label, duplicate ids and landmarks, and other faults that no page may have. */
export function a11yFaults(): string[] {
  const select = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const nameOf = (element: HTMLElement) => element.getAttribute('aria-label') ?? element.textContent.trim();
  const isNamed = (field: HTMLElement) =>
    field.hasAttribute('aria-label') ||
    document.querySelector(`label[for="${field.id}"]`) !== null ||
    (field.closest('label')?.textContent.trim() ?? '') !== '';
  const ids = select('[id]').map((element) => element.id);
  return [
    ...select('button, a[href], [role=button]').filter((element) => nameOf(element) === ''),
    ...select('input, select, textarea').filter((element) => !isNamed(element)),
    ...select('img:not([alt]), svg:not([role])').filter((element) => !element.closest('[aria-hidden]')),
    ...select('[tabindex]').filter((element) => element.tabIndex > 0),
    ...select('[id]').filter(({ id }) => ids.indexOf(id) !== ids.lastIndexOf(id)),
    ...select('html:not([lang=fr]), h1 ~ h1, main ~ main'),
  ].map((element) => element.outerHTML.slice(0, 120));
}

/** Returns touch targets under 44 px, fields with text under 16 px, and a page wider than its window. */
export function touchFaults(): string[] {
  const select = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const isShown = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 1;
  const page = document.documentElement;
  // A tap on the label counts for its field.
  const heightOf = (element: HTMLElement) => (element.closest('label') ?? element).getBoundingClientRect().height;
  return [
    ...select('button, header a, nav a, main a, input')
      .filter((element) => isShown(element) && !element.parentElement?.closest('.mantine-Input-wrapper'))
      .filter((element) => heightOf(element) < 44),
    ...select('input:not([type=radio], [type=checkbox])').filter(
      (element) => isShown(element) && Number.parseFloat(getComputedStyle(element).fontSize) < 16,
    ),
    ...(page.scrollWidth > page.clientWidth ? [page] : []),
  ].map((element) => element.outerHTML.slice(0, 120));
}

/* Playwright runs these functions in the page, so their helpers are nested in them. */
/* oxlint-disable unicorn/consistent-function-scoping */

/** Finds unnamed controls, fields without a label, duplicate ids, duplicate landmarks and duplicate titles. */
export function findA11yFaults(): string[] {
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

/** Finds touch targets below 44 px, text in fields below 16 px, and a page wider than its window. */
export function findTouchFaults(): string[] {
  const select = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  // What lets touches through is no target.
  const isShown = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    element.getBoundingClientRect().width > 1 &&
    getComputedStyle(element).pointerEvents !== 'none';
  const page = document.documentElement;
  // A label is part of the touch target of its checkbox.
  const heightOf = (element: HTMLElement) => {
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    return (label ?? element).getBoundingClientRect().height;
  };
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

/** Focuses the row of the page's first list that Tab would reach, or the first link of a list of cards. */
export function focusList(): boolean {
  const rows = 'main [data-index]';
  const row = document.querySelector<HTMLElement>(`${rows}[tabindex="0"], ${rows} a`);
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
  return row !== null;
}

const rules = new Intl.PluralRules('fr-FR');
const digits = new Intl.NumberFormat('fr-FR');

/** "2 000". */
export const formatNumber = (count: number): string => digits.format(count);

/** "0 code", "1 code", "2 codes", with a no-break space. */
export const plural = (count: number, one: string, many: string): string =>
  `${formatNumber(count)}\u00a0${rules.select(count) === 'one' ? one : many}`;

/** "Tester le site affiché", "Tester les 12 affichés". */
export const testLabel = (count: number, one: string): string =>
  count === 1 ? `Tester le ${one} affiché` : `Tester les ${formatNumber(count)} affichés`;

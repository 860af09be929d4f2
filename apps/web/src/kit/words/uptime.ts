const percent = new Intl.NumberFormat('fr-FR', { style: 'percent', minimumFractionDigits: 2 });
const whole = new Intl.NumberFormat('fr-FR', { style: 'percent' });

/** "99,98 %", "100 %" or "—". Rounded down, so that a site that failed once never has 100 %. */
export function spellUptime(value: number | null): string {
  if (value === null) return '—';
  if (value >= 100) return whole.format(1);
  // Binary fractions such as 99.29 are a little less than they say.
  return percent.format(Math.floor(value * 100 + 1e-6) / 10_000);
}

export const lifetimes = [
  { value: '30', label: '30 jours' },
  { value: '90', label: '90 jours' },
  { value: '365', label: '1 an' },
  { value: 'date', label: 'Jusqu’à une date…' },
] as const;

const dayMs = 24 * 60 * 60_000;

export type Lifetime = { lifetime: string; date: string };

/** When the token expires; empty while no date is chosen. */
export function endOf({ lifetime, date }: Lifetime, now = new Date()): string {
  if (lifetime !== 'date') return new Date(now.getTime() + Number(lifetime) * dayMs).toISOString();
  const end = new Date(`${date}T23:59:59`);
  return Number.isNaN(end.getTime()) ? '' : end.toISOString();
}

/** `Vitrine 1.2.0 → 1.3.0`. */
export const fromTo = (name: string, from: string | null, to: string | null) =>
  [name, from, '→', to ?? 'nouvelle version'].filter((part) => part !== null).join(' ');

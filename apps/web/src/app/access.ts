/** What proves to a host who logs in, as a form holds it. */
export type Secrets = { password: string; privateKeyPem: string; passphrase: string };

export const secrets: Secrets = { password: '', privateKeyPem: '', passphrase: '' };

/** The usual one where what is typed is none. */
export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : 22;
}

/** The one proof that was given; undefined: none. */
export function authOf({ method, password, privateKeyPem, passphrase }: Secrets & { method: string }) {
  if (method === 'password' && password !== '') return { password };
  if (method !== 'key' || privateKeyPem.trim() === '') return undefined;
  return { privateKeyPem, ...(passphrase !== '' && { passphrase }) };
}

export const movedPassword = 'L’adresse a changé\u00a0: saisissez de nouveau le mot de passe.';

/** `isKept`: without one, the key that is stored remains. */
export function keyFault({ method, privateKeyPem }: Secrets & { method: string }, isKept: boolean): string | undefined {
  if (method !== 'key') return undefined;
  const key = privateKeyPem.trim();
  if (key === '') return isKept ? undefined : 'Collez une clé privée, ou choisissez son fichier.';
  if (!/^(?:ssh|ecdsa|sk)-\S+ /.test(key)) return undefined;
  return 'C’est une clé publique\u00a0: Vigie a besoin de la clé privée qui va avec.';
}

/** In any order. */
export const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

/** The SSH or SFTP credentials of a form. */
export type Credentials = { password: string; privateKeyPem: string; passphrase: string };

export const emptyCredentials: Credentials = { password: '', privateKeyPem: '', passphrase: '' };

/** Text that is no port is 22. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : 22;
}

/** Undefined when the form holds no credential of the chosen method. */
export function buildAuth({ method, password, privateKeyPem, passphrase }: Credentials & { method: string }) {
  if (method === 'password' && password !== '') return { password };
  if (method !== 'key' || privateKeyPem.trim() === '') return undefined;
  return { privateKeyPem, ...(passphrase !== '' && { passphrase }) };
}

export const passwordNeededAgain = 'L’adresse a changé\u00a0: saisissez de nouveau le mot de passe.';

/** An empty key is no error when the server already stores one. */
export function privateKeyError(
  { method, privateKeyPem }: Credentials & { method: string },
  isStored: boolean,
): string | undefined {
  if (method !== 'key') return undefined;
  const key = privateKeyPem.trim();
  if (key === '') return isStored ? undefined : 'Collez une clé privée, ou choisissez son fichier.';
  if (!/^(?:ssh|ecdsa|sk)-\S+ /.test(key)) return undefined;
  return 'C’est une clé publique\u00a0: Vigie a besoin de la clé privée qui va avec.';
}

export const hasSameIds = (ids: readonly string[], otherIds: readonly string[]) =>
  ids.length === otherIds.length && ids.every((id) => otherIds.includes(id));

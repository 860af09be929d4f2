import type { Upload, UploadType } from '@vigie/contracts/uploads';

/** As the specification writes it. */
export const failed = "Échec de l'upload.";
export const versionless = "Version non détectée dans l'archive…";

export const typeLabels: Readonly<Record<UploadType, string>> = { plugin: 'Plugin', theme: 'Thème' };

const oneDecimal = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A KB is 1024 bytes. */
export const spellSize = (bytes: number): string => `${oneDecimal.format(bytes / 1024)}\u00a0KB`;

/** What the archive asks of a site. */
export function spellRequires({ wp, php }: Upload['requires']): string | undefined {
  const parts = [wp !== null && `WordPress\u00a0≥\u00a0${wp}`, php !== null && `PHP\u00a0≥\u00a0${php}`];
  const said = parts.filter((part) => part !== false);
  return said.length > 0 ? said.join(' · ') : undefined;
}

import type { Upload, PackageKind } from '@vigie/contracts/uploads';

// Both sentences are the specification's.
export const uploadFailed = "Échec de l'upload.";
export const versionNotDetected = "Version non détectée dans l'archive…";

export const typeLabels: Readonly<Record<PackageKind, string>> = { plugin: 'Plugin', theme: 'Thème' };

const oneDecimal = new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The specification counts 1024 bytes to a KB. */
export const spellSize = (bytes: number): string => `${oneDecimal.format(bytes / 1024)}\u00a0KB`;

export function spellRequires({ wp, php }: Upload['requires']): string | undefined {
  const parts = [wp !== null && `WordPress\u00a0≥\u00a0${wp}`, php !== null && `PHP\u00a0≥\u00a0${php}`];
  const requirements = parts.filter((part) => part !== false);
  return requirements.length > 0 ? requirements.join(' · ') : undefined;
}

import type { PluginExportLine } from '@vigie/contracts/plugins';

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\uFEFF';

/** Whether a spreadsheet would run the text as a formula. */
const isFormula = (text: string) => /^[\s]*[=+\-@|]/.test(text);

/** One quoted field; a leading quote disarms formulas. */
function field(text: string): string {
  const plain = text.replaceAll(/[\0\r\n]+/g, ' ');
  return `"${(isFormula(text) ? `'${plain}` : plain).replaceAll('"', '""')}"`;
}

export const csvLine = (fields: readonly string[]): string => `${fields.map(field).join(';')}\r\n`;

export const pluginHeads = [
  'Plugin',
  'Identifiant',
  'Site',
  'URL',
  'Version',
  'Version proposée',
  'État',
  'Mise à jour',
  'Licence',
  'Lu le',
];

export const pluginFields = (line: PluginExportLine): string[] => [
  line.name,
  line.slug,
  line.site_name,
  line.url,
  line.version ?? '',
  line.has_update ? (line.new_version ?? '') : '',
  line.is_active ? 'Actif' : 'Inactif',
  line.has_update ? 'Disponible' : 'Aucune connue',
  line.is_blocked ? 'Requise' : '',
  line.read_at ?? '',
];

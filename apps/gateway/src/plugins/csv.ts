import type { PluginExportLine } from '@vigie/contracts/plugins';

/** By it spreadsheets know that the letters are UTF-8. */
export const byteOrderMark = '\uFEFF';

/** What a spreadsheet would take for a formula, and run, wherever the file is opened. */
const isFormula = (text: string) => /^[\s]*[=+\-@|]/.test(text);

/** One field, as French spreadsheets read it. */
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

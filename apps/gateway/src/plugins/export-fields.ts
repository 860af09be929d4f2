import type { PluginExportLine } from '@vigie/contracts/plugins';

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

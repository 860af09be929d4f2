import { csvLine } from '@vigie/contracts/csv';
import { describe, expect, it } from 'vitest';
import { pluginFields, pluginHeads } from './export-fields';

const line = {
  name: 'Vitrine',
  slug: 'vitrine',
  site_name: 'Boutique',
  url: 'https://exemple.fr',
  version: '1.2',
  new_version: '1.3',
  is_active: true,
  has_update: true,
  is_blocked: true,
  read_at: '2026-11-22T10:00:00.000Z',
};

describe('a line of the export', () => {
  it('has a field for each heading', () => {
    expect(pluginFields(line)).toHaveLength(pluginHeads.length);
    expect(csvLine(pluginFields(line))).toBe(
      '"Vitrine";"vitrine";"Boutique";"https://exemple.fr";"1.2";"1.3";"Actif";"Disponible";"Requise";"2026-11-22T10:00:00.000Z"\r\n',
    );
  });

  it('shows no version without an update', () => {
    const fields = pluginFields({ ...line, version: null, has_update: false, is_active: false, is_blocked: false });
    expect(fields.slice(4, 9)).toEqual(['', '', 'Inactif', 'Aucune connue', '']);
  });
});

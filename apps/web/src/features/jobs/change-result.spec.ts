import { expect, it } from 'vitest';
import { changeTable, readChange } from './change-result';

const page = (code: number, error: string | null = null) => ({ url: 'https://exemple.fr/', code, ms: 120, error });
const pages = (code: number, error: string | null = null) => ({ home: page(code, error), login: page(200) });
const change = {
  kind: 'plugin',
  slug: 'vitrine',
  name: 'Vitrine',
  from: '1.2.0',
  to: '1.3.0',
  status: 'active',
  aside: null,
} as const;
const job = { kind: 'changes.update', state: 'succeeded', error: null, result: null, counts: null } as const;
const nbsp = (text: string) => text.replaceAll('_', '\u00a0');

it('shows a site before and after a change', () => {
  const checks = { before: pages(200), after: pages(0, 'délai dépassé'), restored: null, php_errors: [] };
  expect(changeTable(job, { ...change, checks })).toEqual({
    columns: ['Avant', 'Après'],
    rows: [
      { name: 'Version', cells: ['1.2.0', '1.3.0'] },
      { name: 'Page d’accueil', cells: [nbsp('200 en 120_ms'), nbsp('pas de réponse en 120_ms (délai dépassé)')] },
      { name: 'Page de connexion', cells: [nbsp('200 en 120_ms'), nbsp('200 en 120_ms')] },
    ],
  });
});

it('shows it again after the change was undone, and leaves out what nobody looked at', () => {
  const undone = { ...job, state: 'failed', error: { message: '', code: 'rolled_back', change } } as const;
  const found = readChange(undone);
  expect(found).toMatchObject({ slug: 'vitrine', checks: null });
  expect(found && changeTable(undone, found)).toEqual({
    columns: ['Avant', 'Après', 'Rétabli'],
    rows: [{ name: 'Version', cells: ['1.2.0', '1.3.0', '1.2.0'] }],
  });
});

it('shows the status that an activation or an installation changes', () => {
  const activation = { ...job, kind: 'changes.activate' } as const;
  const { rows } = changeTable(activation, { ...change, from: null, to: null, checks: null });
  expect(rows).toEqual([{ name: 'État', cells: ['Inactif', 'Actif'] }]);
  const installation = changeTable({ ...job, kind: 'changes.install' }, { ...change, from: null, checks: null });
  expect(installation.rows).toContainEqual({ name: 'État', cells: ['–', 'Actif'] });
});

it('reads the outcome of changes only', () => {
  expect(readChange({ ...job, result: change })).toMatchObject({ to: '1.3.0' });
  expect(readChange({ ...job, kind: 'backups.create', result: change })).toBeUndefined();
  expect(readChange({ ...job, state: 'failed', error: { message: 'Refus.' } })).toBeUndefined();
});

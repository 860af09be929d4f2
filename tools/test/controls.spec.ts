import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unusedControls, withoutData } from './controls';
import { addTexts, toLiterals } from './literals';
import { writtenIn } from './written';

const sourcesOf = (files: Record<string, string>) => {
  const texts = new Set<string>();
  for (const [file, source] of Object.entries(files)) addTexts(file, source, texts);
  return { ...toLiterals(texts), written: Object.entries(files).flatMap(([file, source]) => writtenIn(file, source)) };
};

const page = sourcesOf({
  'words.ts': `
  const label = 'Voir plus', other = \`Supprimer \${name}\u202f?\`, long = \`Voir les \${count} sites de \${name}\`, voir = \`Voir \${name}\`;
  const titles = ['Sites', 'Serveurs'], minutes = \`\${count} min \${rest}\`;
  const contract = { examples: ['web-03'] };
`,
  'Page.tsx': `const All = () => <p>Tester <b>{count}</b> serveurs</p>;`,
});

describe('the name of a control', () => {
  it.each([
    ['Voir plus', 'Voir plus'],
    ['Voir Brest', 'Voir …'],
    ['Voir les 12 sites de Brest', 'Voir les … sites de …'],
    ['Supprimer L’été (1.*)\u202f?', 'Supprimer … ?'],
    ['Tester 3 serveurs', 'Tester … serveurs'],
    ['Administrateur', '…'],
    ['Voir plus 12', 'Voir …'],
    ['brest.example', '…'],
    ['web-03', '…'],
  ])('is what the interface wrote of it: %s', (name, said) => {
    expect(withoutData(name, page)).toBe(said);
  });

  it.each([
    ['<Button>{isOpen ? "Fermer tout" : "Ouvrir tout"}</Button>', ['Fermer tout', 'Ouvrir tout']],
    ['<IconButton icon={X} label={`Fermer ${name}`} />', ['Fermer …']],
    ['<Link to="/sites">Voir <Keys of="s" /></Link>', ['Voir …']],
    ['<label><input type="checkbox" />Tout&#160;prendre</label>', ['Tout prendre']],
    ['<label><input aria-label={name} />Ce qui est à côté</label>', []],
    ['<section aria-label="Sites">Rien</section>', []],
    ['<Button>{children}</Button>', []],
  ])('is read where it is written: %s', (control, names) => {
    expect(writtenIn('Page.tsx', `const Part = () => ${control};`).map(({ name }) => name)).toEqual(names);
  });

  it('is read through the word that stands for it', () => {
    const source = 'function Part() { const cancel = `Annuler ${name}`; return <IconButton label={cancel} />; }';
    expect(writtenIn('Page.tsx', source)).toMatchObject([{ name: 'Annuler …' }]);
  });
});

describe('the controls that no story uses', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vigie-controls-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const note = (...seen: object[]) => {
    const all = seen.map((one) => ({
      place: 'screen Sites@/sites',
      role: 'button',
      name: '',
      target: '',
      isUsed: false,
      ...one,
    }));
    writeFileSync(join(folder, '0.jsonl'), all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  };
  const unused = (...seen: object[]) => {
    note(...seen);
    return unusedControls(folder, page);
  };
  const id = '01a201a3-0286-7594-b293-516f919fd727';

  it('are those that were shown and never used, wherever their data differ', () => {
    const used = { name: 'Voir Nantes', isUsed: true };
    expect(unused({ name: 'Voir Brest' }, used, { name: 'Voir plus' })).toEqual(['Sites › button Voir plus']);
    expect(unused({ name: 'Voir Brest' }, { ...used, place: 'screen Serveurs@/servers' })).toEqual([
      'Sites › button Voir …',
    ]);
  });

  it('are told by their screen, or by where they lead', () => {
    const link = { role: 'link', name: 'Brest', target: `/sites/${id}`, place: `screen web-01@/servers/${id}` };
    expect(unused(link, { role: 'link', name: 'Paris', target: '.', place: 'dialog Supprimer Brest\u202f?' })).toEqual([
      '/servers/$id › link to /sites/$id',
      '«Supprimer … ?» › link to .',
    ]);
  });

  const planted = { 'Planted.tsx': 'const Part = () => <Button>Planter</Button>;' };

  it('are those of the sources too that no story came to see', () => {
    note({ name: 'Voir plus', isUsed: true });
    expect(unusedControls(folder, sourcesOf(planted))).toEqual(['Planted.tsx › Planter']);
  });

  it('are not those that one file writes, once one of its places was used', () => {
    note({ name: 'Planter', place: 'dialog Un' }, { name: 'Planter', place: 'dialog Deux', isUsed: true });
    expect(unusedControls(folder, sourcesOf(planted))).toEqual([]);
  });

  it('are told apart by their places where several files write them', () => {
    note({ name: 'Planter' }, { name: 'Planter', place: 'screen Serveurs@/servers', isUsed: true });
    const titles = "const titles = ['Sites', 'Serveurs'];";
    const twice = { ...planted, 'Other.tsx': planted['Planted.tsx'], 'titles.ts': titles };
    expect(unusedControls(folder, sourcesOf(twice))).toEqual(['Sites › button Planter']);
  });

  it('are not those of the frame that were used where they stand beside the page', () => {
    const link = { role: 'link', name: 'Sites', target: '/sites' };
    expect(unused({ ...link, place: 'dialog Menu' }, { ...link, place: 'frame', isUsed: true })).toEqual([]);
  });

  it('are not those that lead out of Vigie', () => {
    expect(unused({ role: 'outside', name: 'Voir Brest' })).toEqual([]);
  });
});

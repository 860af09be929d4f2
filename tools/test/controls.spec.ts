import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { testFolder } from '@vigie/testing/test-folder';
import { uncheckedDialogs, unusedControls, withoutData } from './controls';
import { addTexts, toLiterals } from './literals';
import { findControls } from './control-sources';

const sourcesOf = (files: Record<string, string>) => {
  const texts = new Set<string>();
  for (const [file, source] of Object.entries(files)) addTexts(file, source, texts);
  return {
    ...toLiterals(texts),
    controls: Object.entries(files).flatMap(([file, source]) => findControls(file, source)),
  };
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
  ])('is reduced to the text of the source: %s', (name, expected) => {
    expect(withoutData(name, page)).toBe(expected);
  });

  it.each([
    ['<Button>{isOpen ? "Fermer tout" : "Ouvrir tout"}</Button>', ['Fermer tout', 'Ouvrir tout']],
    ['<IconButton icon={X} label={`Fermer ${name}`} />', ['Fermer …']],
    ['<Link to="/sites">Voir <Keys of="s" /></Link>', ['Voir …']],
    ['<label><input type="checkbox" />Tout&#160;prendre</label>', ['Tout prendre']],
    ['<label><input aria-label={name} />Ce qui est à côté</label>', []],
    ['<section aria-label="Sites">Rien</section>', []],
    ['<Button>{children}</Button>', []],
  ])('is read from the source: %s', (control, names) => {
    expect(findControls('Page.tsx', `const Part = () => ${control};`).map(({ name }) => name)).toEqual(names);
  });

  it('is read through a constant', () => {
    const source = 'function Part() { const cancel = `Annuler ${name}`; return <IconButton label={cancel} />; }';
    expect(findControls('Page.tsx', source)).toMatchObject([{ name: 'Annuler …' }]);
  });
});

describe('unused controls', () => {
  let folder: string;
  beforeEach(() => void (folder = testFolder('controls')));

  const id = '01a201a3-0286-7594-b293-516f919fd727';
  const unused = (files: Record<string, string>, ...uses: { place?: string; name: string }[]) => {
    const lines = uses.map((use) => `${JSON.stringify({ place: '/sites', ...use })}\n`);
    writeFileSync(join(folder, '0.jsonl'), lines.join(''));
    return unusedControls(folder, sourcesOf(files));
  };
  const planted = { 'Planted.tsx': 'const Part = () => <Button>Planter</Button>;' };
  const twoFeatures = {
    ...planted,
    'other/Other.tsx': planted['Planted.tsx'],
    'words.ts': 'const title = `Supprimer ${name} ?`;',
  };

  it('are controls of a file that no story uses', () => {
    expect(unused(planted, { name: 'Voir plus' })).toEqual(['Planted.tsx › Planter']);
    expect(unused(planted, { name: 'Planter' })).toEqual([]);
  });

  it('are identified by their text in the source, without data', () => {
    const files = {
      'Page.tsx': 'const Part = () => <><Button>{`Voir ${name}`}</Button><Button>Voir plus</Button></>;',
    };
    expect(unused(files, { name: 'Voir Brest' })).toEqual(['Page.tsx › Voir plus']);
    expect(unused(files, { name: 'Voir plus' })).toEqual(['Page.tsx › Voir …']);
  });

  it('must be used on as many screens as features have them', () => {
    const line = 'Planted.tsx, other/Other.tsx › Planter';
    expect(unused(twoFeatures)).toEqual([line]);
    expect(unused(twoFeatures, { name: 'Planter' })).toEqual([`${line} › /sites`]);
    expect(unused(twoFeatures, { name: 'Planter' }, { name: 'Planter', place: '/servers' })).toEqual([]);
  });

  it('are counted once per screen, whatever data it shows', () => {
    const [firstSite, secondSite] = [`/sites/${id}`, `/sites/${id.replaceAll('0', '1')}`];
    expect(
      unused(twoFeatures, { name: 'Planter', place: firstSite }, { name: 'Planter', place: secondSite }),
    ).toHaveLength(1);
    const uses = ['Brest', 'Paris'].map((name) => ({ name: 'Planter', place: `/sites dialog Supprimer ${name} ?` }));
    expect(unused(twoFeatures, ...uses)).toEqual(['Planted.tsx, other/Other.tsx › Planter › /sites «Supprimer … ?»']);
  });

  it('do not include the exceptions', () => {
    const files = { 'RollbackDialog.tsx': 'const Part = () => <Button>Revenir en arrière</Button>;' };
    expect(unused(files)).toEqual([]);
  });
});

describe('unchecked dialogs', () => {
  const unchecked = (...uses: { place: string; name?: string }[]) => {
    const folder = testFolder('controls');
    writeFileSync(join(folder, '0.jsonl'), uses.map((use) => `${JSON.stringify(use)}\n`).join(''));
    return uncheckedDialogs(folder, page);
  };
  const remove = { place: '/sites dialog Supprimer Brest\u202f?', name: 'Supprimer' };

  it('are those in which a story used a control and that axe never checked', () => {
    expect(unchecked(remove, { place: '/sites', name: 'Voir plus' })).toEqual(['/sites «Supprimer … ?»']);
    expect(unchecked(remove, { place: '/sites/1 dialog Supprimer Paris\u202f?' })).toEqual([]);
  });

  it('are told apart by their part of the interface if their title has data', () => {
    expect(unchecked(remove, { place: '/servers dialog Supprimer web-03\u202f?' })).toEqual(['/sites «Supprimer … ?»']);
    expect(
      unchecked({ place: '/sites dialog Voir plus', name: 'Fermer' }, { place: '/servers dialog Voir plus' }),
    ).toEqual([]);
  });
});

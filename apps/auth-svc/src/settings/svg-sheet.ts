import { SaxesParser } from 'saxes';
import { logoRefusal } from './logo-refusal';
import { type Attribute, type ClassStyles, declarationsOf } from './svg-element';

/** Limits the characters that classes add over all elements; a large drawing colours some thousand shapes. */
const maxStyleCharacters = 500_000;

const plainClass = /^\.([\p{L}\p{M}\p{N}_-]+)$/u;

type Rule = { readonly at: number; readonly declarations: readonly Attribute[]; readonly size: number };

/**
 * Returns the attributes that the style sheets of a drawing give to an element with some classes. Drawing programs
 * colour by classes: the rules `.name { … }` become attributes, later rules after earlier ones. Every other rule, such
 * as one for some media or for some ancestors, is ignored.
 */
export function readSheet(svg: string): ClassStyles {
  const byClass = new Map<string, Rule[]>();
  for (const [at, [selectors, body]] of blocksOf(sheetsOf(svg)).entries()) {
    const declarations = declarationsOf(body);
    const rule = {
      at,
      declarations,
      size: declarations.reduce((sum, [key, value]) => sum + key.length + value.length, 0),
    };
    for (const selector of rule.size === 0 ? [] : selectors.split(',')) {
      const [, name] = plainClass.exec(selector.trim()) ?? [];
      const rulesOfClass = name !== undefined && byClass.get(name);
      if (rulesOfClass) rulesOfClass.push(rule);
      else if (name !== undefined) byClass.set(name, [rule]);
    }
  }
  let characters = 0;
  return (classes) => {
    const rules = new Set([...new Set(classes.split(/\s+/))].flatMap((name) => byClass.get(name) ?? []));
    for (const { size } of rules) characters += size;
    if (characters > maxStyleCharacters) throw logoRefusal('ce SVG est trop complexe.');
    return [...rules].toSorted((a, b) => a.at - b.at).flatMap(({ declarations }) => declarations);
  };
}

function sheetsOf(svg: string): string {
  if (!svg.includes('<style')) return '';
  const parser = new SaxesParser({ fragment: false });
  const open: boolean[] = [];
  let sheets = '';
  const read = (text: string) => {
    if (open.at(-1)) sheets += text;
  };
  parser.on('opentag', ({ name, attributes }) => open.push(name === 'style' && attributes['media'] === undefined));
  parser.on('closetag', () => open.pop());
  parser.on('text', read);
  parser.on('cdata', read);
  parser.write(svg).close();
  return sheets;
}

function blocksOf(sheets: string): (readonly [before: string, inside: string])[] {
  const text = sheets.split('*/').map((part) => part.split('/*', 1)[0]);
  const blocks: (readonly [string, string])[] = [];
  let [before, inside, depth, isPlain] = ['', '', 0, true];
  for (const part of text.join(' ').split(/([{}])/)) {
    if (part === '{') {
      depth += 1;
      isPlain = depth === 1;
    } else if (part === '}') {
      if (depth === 1 && isPlain) blocks.push([before, inside]);
      depth = Math.max(0, depth - 1);
    } else if (depth === 0) before = part;
    else inside = part;
  }
  return blocks;
}

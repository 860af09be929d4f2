import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  attributeOf,
  childrenOf,
  holesIn,
  isNode,
  type Known,
  type Node,
  parse,
  fitting,
  saidOf,
  tagOf,
  weightOf,
} from './literals';

/** A control as the sources write it: where, and what a person reads on it. */
export type Written = { file: string; name: string; fits: (name: string) => boolean; weight: number };

const isControl =
  /^(?:a|button|input|label|select|summary|textarea|ConfirmDialog|DialogForm|Link|Tick|TickAll|\w*(?:Button|Field|Input|Textarea|Select))$/;
/** The first of these that there is names it. */
const naming = ['aria-label', 'label', 'action'];

/** All controls that have words of their own, in the sources of this folder. */
export function readWritten(folder: string): Written[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.spec.tsx'))
    .flatMap((file) => writtenIn(file, readFileSync(join(folder, file), 'utf8')));
}

export function writtenIn(file: string, source: string): Written[] {
  const program = parse(file, source);
  const known = constantsOf(program);
  const found = new Map<string, Written>();
  const visit = (node: Node) => {
    if (node.type === 'JSXElement' && isControl.test(tagOf(node)))
      for (const text of namesOf(node, known))
        if (/\p{L}{2}/u.test(text))
          found.set(text, { file, name: holesIn(text), fits: fitting(text), weight: weightOf(text) });
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return [...found.values()];
}

/** The texts that have a name of their own in this file. */
function constantsOf(program: Node): Known {
  const known = new Map<string, Node>();
  const visit = (node: Node) => {
    const { id, init } = node as Node & { id?: Node; init?: Node };
    if (node.type === 'VariableDeclarator' && id?.type === 'Identifier' && init && isText.test(init.type))
      known.set(String(id['name']), init);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return known;
}

const isText = /^(?:Literal|TemplateLiteral|ConditionalExpression)$/;

function namesOf(element: Node, known: Known): string[] {
  for (const attribute of naming) {
    const value = attributeOf(element, attribute);
    if (value !== undefined) return saidOf(value, known);
  }
  // A label names the field that it has in it, unless that has a name.
  return tagOf(element) === 'label' && !hasField(element) ? [] : saidOf(element, known);
}

const hasField = (element: Node): boolean =>
  (element['children'] as unknown[]).some(
    (child) =>
      isNode(child) && child.type === 'JSXElement' && tagOf(child) === 'input' && !attributeOf(child, 'aria-label'),
  );

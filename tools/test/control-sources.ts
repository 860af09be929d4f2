import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  attributeOf,
  childrenOf,
  showPlaceholders,
  isNode,
  type Constants,
  type Node,
  parse,
  nameMatcher,
  textsIn,
  tagOf,
  countLetters,
} from './literals';

export type Control = { file: string; name: string; fits: (name: string) => boolean; weight: number };

const isControl =
  /^(?:a|button|input|label|select|summary|textarea|ConfirmDialog|DialogForm|Link|RowCheckbox|AllRowsCheckbox|\w*(?:Button|Field|Input|Textarea|Select))$/;
/** The attributes that name a control, in order of precedence. */
const nameAttributes = ['aria-label', 'label', 'action'];

/** Reads all controls with a label from the sources of a folder. */
export function readControls(folder: string): Control[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.spec.tsx'))
    .flatMap((file) => findControls(file, readFileSync(join(folder, file), 'utf8')));
}

export function findControls(file: string, source: string): Control[] {
  const program = parse(file, source);
  const constants = findConstants(program);
  const controls = new Map<string, Control>();
  const visit = (node: Node) => {
    if (node.type === 'JSXElement' && isControl.test(tagOf(node)))
      for (const text of namesOf(node, constants))
        if (/\p{L}{2}/u.test(text))
          controls.set(text, {
            file,
            name: showPlaceholders(text),
            fits: nameMatcher(text),
            weight: countLetters(text),
          });
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return [...controls.values()];
}

function findConstants(program: Node): Constants {
  const constants = new Map<string, Node>();
  const visit = (node: Node) => {
    const { id, init } = node as Node & { id?: Node; init?: Node };
    if (node.type === 'VariableDeclarator' && id?.type === 'Identifier' && init && isTextNode.test(init.type))
      constants.set(String(id['name']), init);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return constants;
}

const isTextNode = /^(?:Literal|TemplateLiteral|ConditionalExpression)$/;

function namesOf(element: Node, constants: Constants): string[] {
  for (const attribute of nameAttributes) {
    const value = attributeOf(element, attribute);
    if (value !== undefined) return textsIn(value, constants);
  }
  // A label names the field inside it, unless that field has its own name.
  return tagOf(element) === 'label' && !hasField(element) ? [] : textsIn(element, constants);
}

const hasField = (element: Node): boolean =>
  (element['children'] as unknown[]).some(
    (child) =>
      isNode(child) && child.type === 'JSXElement' && tagOf(child) === 'input' && !attributeOf(child, 'aria-label'),
  );

import { logoRefusal } from './logo-refusal';
import { referencesOf, type SvgElement } from './svg-element';

/** Limit of drawn elements: an element that is used twice counts twice, with its children. */
const maxDrawn = 10_000;
const maxLevels = 100;
/** A long path or text costs as much to draw as several short ones. */
const charactersPerElement = 100;

type DrawCost = { readonly count: number; readonly levels: number };

/** Two kilobytes of `use` can draw a billion copies; masks, clips and gradients multiply in the same way. */
export function refuseExpansion(root: SvgElement): void {
  const byId = elementsById(root);
  const costs = new Map<SvgElement, DrawCost | 'open'>();
  const costOf = (element: SvgElement, level: number): DrawCost => {
    const knownCost = costs.get(element);
    if (knownCost === 'open') throw logoRefusal('ce SVG se contient lui-même.');
    if (knownCost !== undefined) return knownCost;
    if (level > maxLevels) throw logoRefusal('ce SVG est trop complexe.');
    costs.set(element, 'open');
    const referenced = referencesOf(element).flatMap((id) => byId.get(id) ?? []);
    const parts = [...childrenOf(element), ...referenced].map((part) => costOf(part, level + 1));
    const cost = {
      count: parts.reduce((sum, { count }) => sum + count, 1 + Math.floor(lengthOf(element) / charactersPerElement)),
      levels: parts.reduce((max, { levels }) => Math.max(max, levels + 1), 1),
    };
    if (cost.count > maxDrawn || cost.levels > maxLevels) throw logoRefusal('ce SVG est trop complexe.');
    costs.set(element, cost);
    return cost;
  };
  costOf(root, 1);
}

const childrenOf = ({ children }: SvgElement) => children.filter((child) => typeof child !== 'string');

function lengthOf({ attributes, children }: SvgElement): number {
  const texts = children.filter((child) => typeof child === 'string');
  return [...attributes.map(([, value]) => value), ...texts].reduce((sum, { length }) => sum + length, 0);
}

/** When two elements share an id, a browser takes the first. */
function elementsById(root: SvgElement): Map<string, SvgElement> {
  const byId = new Map<string, SvgElement>();
  const visit = (element: SvgElement) => {
    const id = element.attributes.find(([key]) => key === 'id')?.[1];
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    childrenOf(element).forEach(visit);
  };
  visit(root);
  return byId;
}

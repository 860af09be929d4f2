import { z } from 'zod';
import { requiredText } from './text';

const maxNameLength = 253;

/** Converts a name to lower-case punycode without a final dot; undefined when the name has no such form. */
export function asciiName(text: string): string | undefined {
  const labels = text
    .trim()
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.$/, '')
    .split(/[.\u3002]/u);
  const asciiLabels = labels.map(asciiLabel);
  if (asciiLabels.some((label) => label === undefined)) return undefined;
  const name = asciiLabels.join('.');
  return name.length <= maxNameLength ? name : undefined;
}

function asciiLabel(label: string): string | undefined {
  if (/^[\x21-\x7e]*$/.test(label)) return label;
  if (/[\s/?#@:\\%[\]<>^|]/u.test(label)) return undefined;
  const address = `http://${label}.test`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/\.test$/, '') : undefined;
}

const hostLabel = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Whether a name has at least two labels, the last of which is not a number. */
export function isDomain(name: string): boolean {
  const labels = name.split('.');
  return labels.length > 1 && labels.every((label) => hostLabel.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** Whether a name may precede the zone's name: underscores are for services, a star is a wildcard. */
export const isRecordName = (name: string): boolean =>
  name
    .split('.')
    .every((label, index) => (label === '*' && index === 0) || /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));

export const domain = (sentence: string) =>
  requiredText(sentence, 1_000)
    .transform((text) => asciiName(text) ?? '')
    .refine(isDomain, sentence);

/** Cloudflare's id of a zone or record. */
export const providerId = z.string().regex(/^[0-9a-f]{32}$/, 'Cet identifiant n’est pas valide.');

/** A zone by its id; where several configurations share a zone, `id@configuration` names one of them. */
export const zoneRef = z
  .string()
  .regex(/^[0-9a-f]{32}(?:@[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/, 'Cet identifiant n’est pas valide.');

import { coreSlug, type Item, type ItemKind } from '@vigie/contracts/changes';
import type { Upload } from '@vigie/contracts/uploads';

/** What is asked of one item of a site: the end of an address, and what goes with it. */
export type Order = {
  verb: 'update' | 'activate' | 'deactivate' | 'install' | 'restore';
  kind: ItemKind;
  /** Whose line tells of it. */
  key: string;
  body: { slug?: string; filename?: string; activate?: boolean };
  /** The sentence of the catalogue, for want of a better one. */
  fallback: string;
};

export const keyOf = ({ kind, slug }: Item): string => `${kind} ${slug}`;
export const coreItem: Item = { kind: 'core', slug: coreSlug };

const fallbacks = {
  update: 'Échec de la mise à jour.',
  activate: "Échec de l'activation.",
  deactivate: 'Échec de la désactivation.',
  restore: 'Échec du retour à la version précédente.',
} as const;

export const orderOf = (verb: keyof typeof fallbacks, item: Item): Order => ({
  verb,
  kind: item.kind,
  key: keyOf(item),
  body: item.kind === 'core' ? {} : { slug: item.slug },
  fallback: verb === 'update' && item.kind === 'core' ? 'Échec de la mise à jour du core.' : fallbacks[verb],
});

export const installOrder = ({ type, slug, filename }: Upload, activate: boolean): Order => ({
  verb: 'install',
  kind: type,
  key: keyOf({ kind: type, slug }),
  body: { filename, activate },
  fallback: `Échec de l'installation depuis ${filename}.`,
});

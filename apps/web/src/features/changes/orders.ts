import { coreSlug, type Item, type ItemKind } from '@vigie/contracts/changes';
import type { Upload } from '@vigie/contracts/uploads';
import { failureOf } from './words';

/** A change to one item of a site: the path and body of its request. */
export type Order = {
  verb: 'update' | 'activate' | 'deactivate' | 'install' | 'restore';
  kind: ItemKind;
  /** The row that shows its progress. */
  key: string;
  body: { slug?: string; filename?: string; upload_id?: string; activate?: boolean };
  /** The message when the server gives none. */
  fallback: string;
};

export const keyOf = ({ kind, slug }: Item): string => `${kind} ${slug}`;
export const coreItem: Item = { kind: 'core', slug: coreSlug };

export const orderOf = (verb: Exclude<Order['verb'], 'install'>, item: Item): Order => ({
  verb,
  kind: item.kind,
  key: keyOf(item),
  body: item.kind === 'core' ? {} : { slug: item.slug },
  fallback: failureOf({ kind: `changes.${verb}`, item }),
});

export const installOrder = ({ id, type, slug, filename }: Upload, activate: boolean): Order => ({
  verb: 'install',
  kind: type,
  key: keyOf({ kind: type, slug }),
  body: { filename, upload_id: id, activate },
  fallback: failureOf({ kind: 'changes.install', about: filename }),
});

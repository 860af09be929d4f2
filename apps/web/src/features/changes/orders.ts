import { coreSlug, type Item, type ItemKind } from '@vigie/contracts/changes';
import type { Upload } from '@vigie/contracts/uploads';
import { failureOf } from './words';

/** What is asked of one item of a site: the end of an address, and what goes with it. */
export type Order = {
  verb: 'update' | 'activate' | 'deactivate' | 'install' | 'restore';
  kind: ItemKind;
  /** Whose line tells of it. */
  key: string;
  body: { slug?: string; filename?: string; upload_id?: string; activate?: boolean };
  /** What is said where the answer says nothing better. */
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

import { coreSlug, type Item, type ItemKind } from '@vigie/contracts/changes';
import type { Upload } from '@vigie/contracts/uploads';
import { failureText } from './words';

/** A change to one item of a site: the path and body of its request. */
export type ChangeRequest = {
  verb: 'update' | 'activate' | 'deactivate' | 'install' | 'restore';
  kind: ItemKind;
  /** The row that shows its progress. */
  key: string;
  body: { slug?: string; filename?: string; upload_id?: string; activate?: boolean };
  /** The message when the server gives none. */
  fallback: string;
};

export const itemKey = ({ kind, slug }: Item): string => `${kind} ${slug}`;
export const coreItem: Item = { kind: 'core', slug: coreSlug };

export const changeRequest = (verb: Exclude<ChangeRequest['verb'], 'install'>, item: Item): ChangeRequest => ({
  verb,
  kind: item.kind,
  key: itemKey(item),
  body: item.kind === 'core' ? {} : { slug: item.slug },
  fallback: failureText({ kind: `changes.${verb}`, item }),
});

export const installRequest = ({ id, type: kind, slug, filename }: Upload, activate: boolean): ChangeRequest => ({
  verb: 'install',
  kind,
  key: itemKey({ kind, slug }),
  body: { filename, upload_id: id, activate },
  fallback: failureText({ kind: 'changes.install', about: filename }),
});

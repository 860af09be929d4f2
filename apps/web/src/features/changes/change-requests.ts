import type { Fields } from '@vigie/contracts/calls';
import { coreSlug, type installUpload, type Item } from '@vigie/contracts/changes';
import type { Upload } from '@vigie/contracts/uploads';
import { failureText } from './words';

/** A change to one item of a site. */
export type ChangeRequest = (
  | { verb: 'update' | 'activate' | 'deactivate' | 'restore'; fields: Item }
  | { verb: 'install'; fields: Omit<Fields<typeof installUpload>, 'id'> }
) & {
  /** The row that shows its progress. */
  key: string;
  /** The message when the server gives none. */
  fallback: string;
};

export const itemKey = ({ kind, slug }: Item): string => `${kind} ${slug}`;
export const coreItem: Item = { kind: 'core', slug: coreSlug };

export const changeRequest = (verb: Exclude<ChangeRequest['verb'], 'install'>, item: Item): ChangeRequest => ({
  verb,
  key: itemKey(item),
  fields: { kind: item.kind, slug: item.slug },
  fallback: failureText({ kind: `changes.${verb}`, item }),
});

export const installRequest = ({ id, type: kind, slug, filename }: Upload, activate: boolean): ChangeRequest => ({
  verb: 'install',
  key: itemKey({ kind, slug }),
  fields: { kind, filename, upload_id: id, activate },
  fallback: failureText({ kind: 'changes.install', about: filename }),
});

import { automaticTtl, canBeProxied, isOfferedTtl, unofferedTtl, defaultTtl } from '@vigie/contracts/dns-content';
import { type RecordChanges, type RecordContent, RecordForm } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import type { HeldRecord } from '../providers/provider';
import { canonicalContent, priorityIn, wholeName } from './canonical';

/** The record that a form describes. */
export function fromForm(form: RecordForm, zoneName: string): RecordContent {
  const { type, comment = null } = form;
  const proxied = canBeProxied(type) && form.proxied === true;
  return {
    type,
    name: wholeName(form.name, zoneName),
    content: canonicalContent(type, form.content, zoneName),
    // The only one that Cloudflare takes for it.
    ttl: proxied ? automaticTtl : (form.ttl ?? defaultTtl),
    priority: priorityIn(type, form.content, form.priority),
    proxied,
    comment,
  };
}

/** What becomes of a record; throws where its new content does not go with its type, or nobody may choose its new TTL. */
export function changed(record: HeldRecord, changes: RecordChanges, zoneName: string): RecordContent {
  refuseUnoffered(changes.ttl ?? record.ttl, record);
  const type = changes.type ?? record.type;
  const isSameType = type === record.type;
  const proxied = changes.proxied ?? (isSameType ? record.proxied : canBeProxied(type) && record.proxied);
  const merged = {
    type,
    name: changes.name ?? record.name,
    content: changes.content ?? record.content,
    // Not proxied any more: what was automatic for that reason alone is so no longer.
    ttl: changes.ttl ?? (record.proxied && !proxied ? defaultTtl : record.ttl),
    priority: changes.priority ?? (isSameType ? record.priority : null),
    proxied,
    comment: changes.comment,
  };
  // What nobody typed now may be more than anybody may type.
  const kept = changes.comment === undefined ? { comment: record.comment } : {};
  if (!isSameText(record, merged)) return { ...read(merged, zoneName), ...kept };
  return { ...read({ ...merged, content: 'texte' }, zoneName), content: record.content, ...kept };
}

function refuseUnoffered(ttl: number, record: HeldRecord): void {
  if (ttl !== record.ttl && !isOfferedTtl(ttl)) throw new AppError('invalid', unofferedTtl);
}

/** What nobody typed is text already: its own quotes belong to it. */
const isSameText = (record: HeldRecord, { type, content }: Pick<RecordContent, 'type' | 'content'>) =>
  type === 'TXT' && record.type === 'TXT' && content === record.content;

function read(merged: object, zoneName: string): RecordContent {
  const form = RecordForm.safeParse(merged);
  if (!form.success) throw toAppError(form.error);
  return fromForm(form.data, zoneName);
}

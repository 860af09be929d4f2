import { automaticTtl, canBeProxied, isOfferedTtl, unofferedTtl, defaultTtl } from '@vigie/contracts/dns-content';
import { type RecordChanges, type RecordContent, RecordForm } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import type { HeldRecord } from '../providers/provider';
import { canonicalContent, priorityIn, wholeName } from './canonical';

export function fromForm(form: RecordForm, zoneName: string): RecordContent {
  const { type, comment = null } = form;
  const proxied = canBeProxied(type) && form.proxied === true;
  return {
    type,
    name: wholeName(form.name, zoneName),
    content: canonicalContent(type, form.content, zoneName),
    // The only TTL that Cloudflare accepts for a proxied record.
    ttl: proxied ? automaticTtl : (form.ttl ?? defaultTtl),
    priority: priorityIn(type, form.content, form.priority),
    proxied,
    comment,
  };
}

/**
 * Applies changes to a record; throws when its new content does not fit its type, or when its new TTL is not offered.
 */
export function changed(record: HeldRecord, changes: RecordChanges, zoneName: string): RecordContent {
  refuseUnoffered(changes.ttl ?? record.ttl, record);
  const type = changes.type ?? record.type;
  const isSameType = type === record.type;
  const proxied = changes.proxied ?? (isSameType ? record.proxied : canBeProxied(type) && record.proxied);
  const merged = {
    type,
    name: changes.name ?? record.name,
    content: changes.content ?? record.content,
    // The TTL was automatic only because the record was proxied.
    ttl: changes.ttl ?? (record.proxied && !proxied ? defaultTtl : record.ttl),
    priority: changes.priority ?? (isSameType ? record.priority : null),
    proxied,
    comment: changes.comment,
  };
  // A stored comment may be longer than a form accepts.
  const kept = changes.comment === undefined ? { comment: record.comment } : {};
  if (!isSameText(record, merged)) return { ...read(merged, zoneName), ...kept };
  return { ...read({ ...merged, content: 'texte' }, zoneName), content: record.content, ...kept };
}

function refuseUnoffered(ttl: number, record: HeldRecord): void {
  if (ttl !== record.ttl && !isOfferedTtl(ttl)) throw new AppError('invalid', unofferedTtl);
}

/** An unchanged text is already decoded: quotes in it are content. */
const isSameText = (record: HeldRecord, { type, content }: Pick<RecordContent, 'type' | 'content'>) =>
  type === 'TXT' && record.type === 'TXT' && content === record.content;

function read(merged: object, zoneName: string): RecordContent {
  const form = RecordForm.safeParse(merged);
  if (!form.success) throw toAppError(form.error);
  return fromForm(form.data, zoneName);
}

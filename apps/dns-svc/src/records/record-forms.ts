import { automaticTtl, canBeProxied, isOfferedTtl, unofferedTtl, defaultTtl } from '@vigie/contracts/dns-content';
import { type RecordChanges, type RecordContent, RecordForm } from '@vigie/contracts/dns-records';
import { AppError } from '@vigie/contracts/errors';
import { toAppError } from '@vigie/contracts/issues';
import type { ProviderRecord } from '../providers/provider';
import { canonicalContent, priorityIn, fullName } from './canonical';

export function recordFromForm(form: RecordForm, zoneName: string): RecordContent {
  const { type, comment = null } = form;
  const proxied = canBeProxied(type) && form.proxied === true;
  return {
    type,
    name: fullName(form.name, zoneName),
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
export function applyChanges(record: ProviderRecord, changes: RecordChanges, zoneName: string): RecordContent {
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
  const unchangedComment = changes.comment === undefined ? { comment: record.comment } : {};
  if (!isSameText(record, merged)) return { ...parseForm(merged, zoneName), ...unchangedComment };
  return { ...parseForm({ ...merged, content: 'texte' }, zoneName), content: record.content, ...unchangedComment };
}

function refuseUnoffered(ttl: number, record: ProviderRecord): void {
  if (ttl !== record.ttl && !isOfferedTtl(ttl)) throw new AppError('invalid', unofferedTtl);
}

/** An unchanged text is already decoded: quotes in it are content. */
const isSameText = (record: ProviderRecord, { type, content }: Pick<RecordContent, 'type' | 'content'>) =>
  type === 'TXT' && record.type === 'TXT' && content === record.content;

function parseForm(merged: object, zoneName: string): RecordContent {
  const form = RecordForm.safeParse(merged);
  if (!form.success) throw toAppError(form.error);
  return recordFromForm(form.data, zoneName);
}

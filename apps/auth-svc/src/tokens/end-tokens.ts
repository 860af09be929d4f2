import { writeOutboxEvents } from '@vigie/service-kit/outbox';
import type { EntityManager, FindOptionsWhere } from 'typeorm';
import { deleteRows } from '../sessions/delete-rows';
import { Token } from './token.entity';

/** Ends tokens before their time, and what they have asked for with them. Returns their ids. */
export async function endTokens(manager: EntityManager, where: FindOptionsWhere<Token>): Promise<string[]> {
  const ids = await deleteRows(manager, Token, where);
  if (ids.length > 0) {
    await writeOutboxEvents(
      manager,
      ids.map((id) => ({ kind: 'token_revoked', token_id: id })),
    );
  }
  return ids;
}

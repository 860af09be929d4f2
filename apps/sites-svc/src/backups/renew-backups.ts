import { RestoreInput } from '@vigie/contracts/restores';
import { FileStore } from '@vigie/files/file-store';
import { type EntityManager, In } from 'typeorm';
import { Job } from '../queue/job.entity';
import { auditBackups } from './audit-backups';
import { newArchiveName } from './new-archive-name';

/** Gives retried jobs new object keys and file names: the first attempt may have used its own. */
export async function renewBackups(manager: EntityManager, ids: readonly string[]): Promise<void> {
  const restores = await manager.find(Job, { where: { id: In([...ids]), kind: 'backups.restore' } });
  for (const { id, input } of restores) {
    const { site } = RestoreInput.parse(input);
    await manager.query(`update jobs set input = jsonb_set(input, '{safety}', to_jsonb($2::text)) where id = $1`, [
      id,
      newArchiveName(site.url),
    ]);
  }
  for (const id of ids) {
    await manager.query(
      `update jobs set input = jsonb_set(input, '{object,key}', to_jsonb($2::text)) where id = $1 and kind = 'backups.download'`,
      [id, FileStore.newKey()],
    );
  }
  await auditBackups(manager, ids);
}

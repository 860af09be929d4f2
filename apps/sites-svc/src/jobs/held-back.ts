import type { DataSource } from 'typeorm';
import { endJob } from './end-job';

const perLook = 100;
const ending = {
  state: 'unknown',
  result: null,
  error: {
    message:
      'Cette tâche attendait son tour quand Vigie a été sauvegardée\u00a0: depuis, elle a pu être faite ou annulée. Regardez où en est le site, puis relancez-la s’il le faut.',
  },
} as const;

/** Ends what waits for ever, as a restore leaves it: begun now it might be done for a second time. */
export async function endHeldBack(database: DataSource): Promise<void> {
  for (;;) {
    const held: { id: string }[] = await database.query(
      `select id from jobs where state = 'queued' and not is_batch and not_before = 'infinity' limit $1`,
      [perLook],
    );
    for (const { id } of held) await database.transaction((manager) => endJob(manager, id, ending));
    if (held.length < perLook) return;
  }
}

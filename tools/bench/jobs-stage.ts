import { addServer } from '@vigie/testing/hosts';
import type { TestProcess } from '@vigie/testing/processes';
import type { TestProduct } from '@vigie/testing/product';
import { bundleReplacement } from '../chaos/programs';
import { build } from '../start/build';
import { inherited } from '../start/env';
import { startReplicas } from './replicas';
import { ensureSshPrograms } from './ssh-stage';
import type { Workbench } from './workbench';

const folder = 'tools/bench';
/** With so many hosts, no limit per host is reached. */
const hosts = 50;

export type JobsStage = {
  product: TestProduct;
  token: string;
  addAgent: (env?: Record<string, string>) => Promise<TestProcess>;
  pids: () => Map<string, number>;
};

/** Starts the product with agents that support a job kind without work. */
export async function setJobsStage(bench: Workbench): Promise<JobsStage> {
  await ensureSshPrograms(bench);
  await build((line) => bench.step(line), inherited, bench.signal);
  await bundleReplacement(folder, 'ssh-agent', 'apps/ssh-agent/src/bench/main.ts');
  const { product, pids } = await startReplicas(bench, {
    apps: ['gateway', 'auth-svc', 'sites-svc', 'ssh-agent'],
    env: { VIGIE_LOG_LEVEL: 'warn' },
    programs: { 'ssh-agent': `${folder}/ssh-agent` },
  });
  const token = await product.login();
  for (let index = 0; index < hosts; index++) {
    await addServer(product, token, { name: `h${index}`, host: '127.0.0.1', port: 20_000 + index });
  }
  await recordDispatches(product);
  return { product, token, addAgent: (env) => product.add('ssh-agent', env), pids };
}

/** Records dispatch times, because the ledger does not keep them. */
const recordDispatches = ({ database }: TestProduct) =>
  database.query(`
    create table public.dispatches (id uuid, at timestamptz);
    create function public.note_dispatch() returns trigger security definer language plpgsql as
      $$ begin insert into public.dispatches values (new.id, clock_timestamp()); return null; end $$;
    create trigger note_dispatch after update of dispatched_at on sites.jobs for each row
      when (old.dispatched_at is null and new.dispatched_at is not null) execute function public.note_dispatch()`);

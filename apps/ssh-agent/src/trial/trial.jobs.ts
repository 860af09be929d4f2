import { z } from 'zod';
import type { Connections } from '../connections';
import type { JobHandler, JobHandlers } from '../jobs/job-handler';
import { errorOfEnd, Operations } from '../operations/operations';
import effects from './effects.sh';

const kinds = ['append', 'sleep', 'write', 'fail'] as const;

const oneLine = z.string().regex(/^[^\n]+$/);
const Input = z.object({ folder: oneLine, log: oneLine, seconds: z.number() });

/** Kinds of jobs for trials of the product, whose effects on a host can be counted afterwards. */
export function trialJobs(connections: Connections): JobHandlers {
  const operations = new Operations(connections);
  return Object.fromEntries(kinds.map((kind) => [`trial.${kind}`, trialJob(kind, operations)]));
}

const trialJob =
  (kind: (typeof kinds)[number], operations: Operations): JobHandler =>
  async (context) => {
    const { job, report } = context;
    const { folder, log, seconds } = Input.parse(job.input);
    const onLine = (line: string) => {
      const [done = 0, total = 0] = line.split(' ').map(Number);
      report({ step: 'Essai', done, total });
    };
    const input = `${[kind, job.id, folder, log, seconds].join('\n')}\n`;
    const end = await operations.run(context, { name: 'effects.sh', script: effects, input, lock: folder, onLine });
    if (end.outcome === 'succeeded')
      return { state: 'succeeded', result: { said: end.stdout.bytes.toString().trim() } };
    return { state: end.outcome, error: errorOfEnd(end) };
  };

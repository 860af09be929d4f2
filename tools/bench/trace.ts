import { setTimeout as wait } from 'node:timers/promises';
import { type CollectedSpan, FakeCollector } from '@vigie/testing/otlp';
import { until } from '@vigie/testing/until';
import { fr } from '../terminal';
import { measure, type Part } from './measure';
import { aim, milliseconds, tableOf } from './report';
import { SitesOwner } from './sites-owner';
import { ensureSshPrograms } from './ssh-stage';
import { startSites } from './wordpress-stage';

const token = 'trace';
const kind = 'changes.update';
/** The rest before the second look at a site, in which PHP forgets its old code. */
const restMs = 3_500;
const shownMs = 20;
/** Longer than a service keeps spans before it sends them. */
const sendMs = 6_000;

/** `before` and `after`: the spans around a time in which none was open. */
type Gap = { before: string; after: string; ms: number };

/** Follows one update from its request to its end, and finds the times of which no span says what they were for. */
export const trace: Part = async (bench) => {
  await ensureSshPrograms(bench);
  const fleet = await startSites(bench, 1);
  const collector = await FakeCollector.start(token);
  bench.atEnd(() => collector.close());
  const owner = await SitesOwner.create(bench, fleet, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}`,
  });
  const update = async () => {
    await owner.updateAll([{ kind: 'plugin', slug: 'vitrine' }]);
    await until(() => collector.spans.some(isEnd));
    await wait(sendMs, undefined, { signal: bench.signal });
    const traceId = collector.spans.find(isEnd)?.traceId ?? '';
    return gapsOf(collector.spansOf(traceId));
  };
  return [
    measure({
      title: fr`Une mise à jour, de la demande à la fin`,
      contenders: {
        update: { name: fr`une extension d’un site`, prepare: () => owner.refreshAll(), run: update },
      },
      summarize: ([traced]) => traced as Trace,
      lines: ({ update: { ms, gaps } }) => [
        fr`${milliseconds(ms)} en tout, dont ${milliseconds(restMs)} de repos avant le second regard`,
        aim(
          fr`le plus long temps dont rien ne rend compte`,
          Math.max(0, ...gaps.map((gap) => gap.ms)),
          '≤',
          300,
          milliseconds,
        ),
      ],
      reports: ({ update: { gaps } }) => [
        {
          title: fr`Temps sans travail, de plus de ${milliseconds(shownMs)}`,
          table: tableOf(
            gaps.filter(({ ms }) => ms >= shownMs).map((gap) => ({ ...gap, name: `${gap.before} → ${gap.after}` })),
            [['durée', ({ ms }) => milliseconds(ms)]],
          ),
          note: fr`
  Une trace OTLP : la demande, les appels entre services, chaque programme de l’hôte et chaque visite d’une page. Du repos
  avant le second regard ne compte que ce qui dépasse.`,
        },
      ],
    }),
  ];
};

type Trace = { ms: number; gaps: readonly Gap[] };

const isAttempt = ({ attributes }: CollectedSpan) => attributes['vigie.job.kind'] === kind;
const isEnd = (span: CollectedSpan) => isAttempt(span) && span.attributes['vigie.job.state'] === 'succeeded';

/** The span of the operation, open while it is begun and followed. What happens meanwhile has spans of its own. */
const operationName = 'change.sh';

/** An attempt at the job, open from its claim to its end, accounts for nothing by itself, and neither does the operation. */
function gapsOf(spans: readonly CollectedSpan[]): Trace {
  const ordered = spans.toSorted((a, b) => a.startedAt - b.startedAt);
  const attempts = ordered.filter(isAttempt);
  const [first, last] = [ordered[0], attempts.at(-1)];
  if (!first || !last) throw new Error('the trace has no job');
  const isWork = (span: CollectedSpan) => !isAttempt(span) && span.name !== operationName;
  const work = ordered.filter((span) => isWork(span) && span.startedAt < last.endedAt);
  const gaps: Gap[] = [];
  let previous = first;
  for (const span of work.slice(1)) {
    const ms = span.startedAt - previous.endedAt;
    const isRest = attempts.length > 1 && Math.abs((attempts[0]?.endedAt ?? 0) - previous.endedAt) < shownMs;
    if (ms > 0) gaps.push({ before: previous.name, after: span.name, ms: Math.max(0, ms - (isRest ? restMs : 0)) });
    if (span.endedAt > previous.endedAt) previous = span;
  }
  return { ms: last.endedAt - first.startedAt, gaps };
}

import { milliseconds, number, printTable } from '../bench/table';
import { type JudgedLife, lifeLine } from '../chaos/soak-judge';
import { fr } from '../terminal';
import { isOverload } from './judge';
import type { Answered, Case } from './send';

type Slow = { ms: number; what: string };
const maxSlow = 8;
const maxFindings = 60;
const maxShown = 220;

/** What an attack saw: how much of each kind, what was slow, and what was wrong. */
export class Report {
  sent = 0;
  overloads = 0;
  /** How often each route was aimed at. */
  readonly aims = new Map<string, number>();
  private readonly kinds = new Map<string, Map<string, number>>();
  private slow: Slow[] = [];
  private readonly found = new Map<string, { line: string; times: number }>();

  note(one: Case, answer: Answered, faults: readonly string[]): void {
    this.sent += 1;
    this.aims.set(one.aim, (this.aims.get(one.aim) ?? 0) + 1);
    if (isOverload(answer, one)) this.overloads += 1;
    const answers = this.kinds.get(one.kind) ?? new Map<string, number>();
    this.kinds.set(one.kind, answers);
    const column = columnOf(answer.status);
    answers.set(column, (answers.get(column) ?? 0) + 1);
    if (answer.ms > (this.slow.at(-1)?.ms ?? 0) || this.slow.length < maxSlow) this.keepSlow(one, answer);
    for (const fault of faults) this.find(fault, one);
  }

  /** Once for each thing that is wrong with each kind of request to each route. */
  find(fault: string, one?: Case): void {
    const key = one ? `${fault.replaceAll(/\d{4,}|[0-9a-f-]{18,}/g, '…')} ${one.aim} ${one.kind}` : fault;
    const known = this.found.get(key);
    if (known) known.times += 1;
    else this.found.set(key, { line: one ? fr`${fault} : ${lineOf(one)}` : fault, times: 1 });
  }

  get findings(): string[] {
    return [...this.found.values()].map(({ line, times }) => (times > 1 ? fr`${line} (${times} fois)` : line));
  }

  print(lives: readonly JudgedLife[], slowestProbe: number): void {
    const columns = [...new Set([...this.kinds.values()].flatMap((answers) => [...answers.keys()]))].toSorted();
    const rows = [...this.kinds].toSorted(([a], [b]) => a.localeCompare(b, 'fr'));
    printTable(
      ['genre', ...columns],
      rows.map(([kind, answers]) => [kind, ...columns.map((at) => number(answers.get(at) ?? 0))]),
    );
    console.log(fr`\nLes plus lentes des réponses :`);
    for (const { ms, what } of this.slow) console.log(`  ${milliseconds(ms).padStart(9)}  ${what}`);
    const isTooShort = lives.length === 0;
    console.log(
      isTooShort
        ? fr`\nCe que tiennent les processus : trop court pour le dire.`
        : fr`\nCe que tiennent les processus :`,
    );
    for (const life of lives) console.log(`  ${lifeLine(life)}`);
    const told = fr`${number(this.sent)} requêtes, ${number(this.overloads)} refusées pour saturation`;
    console.log(fr`\n${told} ; la plus lente des sondes : ${milliseconds(slowestProbe)}.`);
    for (const line of this.findings.slice(0, maxFindings)) console.log(`✗ ${line}`);
    const rest = this.findings.length - maxFindings;
    if (rest > 0) console.log(fr`✗ et ${rest} autres.`);
  }

  private keepSlow(one: Case, { ms, status }: Answered): void {
    this.slow = [...this.slow, { ms, what: `${status} ${lineOf(one).slice(0, 120)}` }]
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, maxSlow);
  }
}

const columnOf = (status: number) =>
  status === 0 ? '(coupé)' : status === 503 || status < 500 ? `${status}` : `${status} !`;

/** As much of a request as it takes to send it again. */
function lineOf({ method, path, who, kind, body, wire, headers }: Case): string {
  if (wire !== undefined) return `${JSON.stringify(String(wire).slice(0, maxShown))} (${who}, ${kind})`;
  const { authorization: _, prefer: __, ...told } = headers;
  const sent = body === undefined ? '' : ` ${JSON.stringify(String(body).slice(0, maxShown))}`;
  return `${method} ${path.slice(0, maxShown)} (${who}, ${kind}) ${JSON.stringify(told).slice(0, maxShown)}${sent}`;
}

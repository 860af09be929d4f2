import { milliseconds, number, printTable } from '../bench/report';
import { type JudgedProcess, describeProcess } from '../chaos/soak-judge';
import { fr } from '../terminal';
import { isOverload } from './judge';
import type { HttpAnswer, HostileRequest } from './send';

type SlowAnswer = { ms: number; description: string };
const maxSlow = 8;
const maxFindings = 60;
const maxShown = 220;

/** Counts the answers of an attack, and collects slow answers and findings. */
export class Report {
  sent = 0;
  overloads = 0;
  readonly aims = new Map<string, number>();
  private readonly kinds = new Map<string, Map<string, number>>();
  private slow: SlowAnswer[] = [];
  private readonly entries = new Map<string, { line: string; times: number }>();

  record(request: HostileRequest, answer: HttpAnswer, faults: readonly string[]): void {
    this.sent += 1;
    this.aims.set(request.routeKey, (this.aims.get(request.routeKey) ?? 0) + 1);
    if (isOverload(answer, request)) this.overloads += 1;
    const answers = this.kinds.get(request.kind) ?? new Map<string, number>();
    this.kinds.set(request.kind, answers);
    const column = statusColumn(answer.status);
    answers.set(column, (answers.get(column) ?? 0) + 1);
    if (answer.ms > (this.slow.at(-1)?.ms ?? 0) || this.slow.length < maxSlow) this.recordSlow(request, answer);
    for (const fault of faults) this.addFinding(fault, request);
  }

  /** Groups findings by fault, route and kind of request. */
  addFinding(fault: string, request?: HostileRequest): void {
    const key = request
      ? `${fault.replaceAll(/\d{4,}|[0-9a-f-]{18,}/g, '…')} ${request.routeKey} ${request.kind}`
      : fault;
    const existing = this.entries.get(key);
    if (existing) existing.times += 1;
    else this.entries.set(key, { line: request ? fr`${fault} : ${describeRequest(request)}` : fault, times: 1 });
  }

  get findings(): string[] {
    return [...this.entries.values()].map(({ line, times }) => (times > 1 ? fr`${line} (${times} fois)` : line));
  }

  print(processes: readonly JudgedProcess[], slowestProbe: number): void {
    const columns = [...new Set([...this.kinds.values()].flatMap((answers) => [...answers.keys()]))].toSorted();
    const rows = [...this.kinds].toSorted(([a], [b]) => a.localeCompare(b, 'fr'));
    printTable([
      ['genre', ...columns],
      ...rows.map(([kind, answers]) => [kind, ...columns.map((column) => number(answers.get(column) ?? 0))]),
    ]);
    console.log(fr`\nLes plus lentes des réponses :`);
    for (const { ms, description } of this.slow) console.log(`  ${milliseconds(ms).padStart(9)}  ${description}`);
    const isTooShort = processes.length === 0;
    console.log(
      isTooShort
        ? fr`\nCe que tiennent les processus : trop court pour le dire.`
        : fr`\nCe que tiennent les processus :`,
    );
    for (const life of processes) console.log(`  ${describeProcess(life)}`);
    const told = fr`${number(this.sent)} requêtes, ${number(this.overloads)} refusées pour saturation`;
    console.log(fr`\n${told} ; la plus lente des sondes : ${milliseconds(slowestProbe)}.`);
    for (const line of this.findings.slice(0, maxFindings)) console.log(`✗ ${line}`);
    const rest = this.findings.length - maxFindings;
    if (rest > 0) console.log(fr`✗ et ${rest} autres.`);
  }

  private recordSlow(request: HostileRequest, { ms, status }: HttpAnswer): void {
    this.slow = [...this.slow, { ms, description: `${status} ${describeRequest(request).slice(0, 120)}` }]
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, maxSlow);
  }
}

const statusColumn = (status: number) =>
  status === 0 ? '(coupé)' : status === 503 || status < 500 ? `${status}` : `${status} !`;

/** Describes a request so that it can be sent again. */
function describeRequest({ method, path, sender, kind, body, wire, headers }: HostileRequest): string {
  if (wire !== undefined) return `${JSON.stringify(String(wire).slice(0, maxShown))} (${sender}, ${kind})`;
  const { authorization: _, prefer: __, ...told } = headers;
  const bodyText = body === undefined ? '' : ` ${JSON.stringify(String(body).slice(0, maxShown))}`;
  return `${method} ${path.slice(0, maxShown)} (${sender}, ${kind}) ${JSON.stringify(told).slice(0, maxShown)}${bodyText}`;
}

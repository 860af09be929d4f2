import { fr } from '../terminal';
import { aim, milliseconds, number, printTable } from './table';

/** `calls` is the number of requests to Cloudflare per measurement. */
export type Row = { name: string; ms: number; calls: number };
export type Measured = { zones: number; records: number; rounds: number; rows: readonly Row[] };

const maxMs = 1_000;

export function reportDns({ zones, records, rounds, rows }: Measured): void {
  console.log(`\n${fr`DNS : un compte de ${zones} zones, une zone de ${records} enregistrements`}`);
  printTable(
    ['', 'temps', 'appels à Cloudflare', ''],
    rows.map(({ name, ms, calls }) => [
      name,
      milliseconds(ms),
      number(calls, Number.isInteger(calls) ? 0 : 1),
      name.startsWith('écran') ? aim(fr`< ${number(maxMs)} ms`, ms < maxMs) : '',
    ]),
  );
  console.log(fr`
  Cloudflare est remplacé par un serveur de cette machine, qui répond aussitôt : ses propres délais s’ajoutent à chaque appel.
  Un écran va de l’adresse à sa première ligne, dans un Chromium sans cache. Médiane de ${rounds} fois.`);
}

import { findBinary } from '../start/binaries';
import { isRoot } from '../start/place';
import { Refusal, fr } from '../terminal';

/** What enters another Debian needs root, and these programs of this machine. */
export function refuseWithout(programs: readonly string[]): void {
  const missing = programs.filter((name) => !findBinary(name, undefined));
  if (!isRoot()) throw new Refusal(fr`Seul root peut entrer dans une autre Debian : lancez cette commande en root.`);
  if (missing.length > 0) throw new Refusal(fr`Il manque ${missing.join(', ')} à cette machine.`);
}

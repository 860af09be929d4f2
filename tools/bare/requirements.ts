import { findBinary } from '../start/binaries';
import { isRoot } from '../start/server-storage';
import { Refusal, fr } from '../terminal';

/** Entering another Debian requires root and these programs. */
export function requireRootAndPrograms(programs: readonly string[]): void {
  const missing = programs.filter((name) => !findBinary(name, undefined));
  if (!isRoot()) throw new Refusal(fr`Seul root peut entrer dans une autre Debian : lancez cette commande en root.`);
  if (missing.length > 0) throw new Refusal(fr`Il manque ${missing.join(', ')} à cette machine.`);
}

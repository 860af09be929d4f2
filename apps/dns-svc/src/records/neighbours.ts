import type { RecordContent } from '@vigie/contracts/dns-records';
import { keyOf, shortName } from './canonical';

/** The records that one more would stand beside: by what they are, and by name, for there may be thousands. */
export class Neighbours {
  private readonly keys = new Set<string>();
  private readonly types = new Map<string, Set<string>>();

  constructor(private readonly zoneName: string) {}

  add(record: RecordContent): void {
    this.keys.add(keyOf(record));
    this.types.set(record.name, (this.types.get(record.name) ?? new Set()).add(record.type));
  }

  /** The same record twice, or a CNAME that is not alone; undefined where nothing hinders. */
  clashWith(record: RecordContent): string | undefined {
    if (this.keys.has(keyOf(record))) return 'Un enregistrement identique existe déjà.';
    if (!this.isHindered(record)) return undefined;
    const name = shortName(record.name, this.zoneName);
    return record.type === 'CNAME'
      ? `«\u00a0${name}\u00a0» a déjà d’autres enregistrements\u00a0: un CNAME est seul à son nom.`
      : `«\u00a0${name}\u00a0» est un CNAME\u00a0: il est seul à son nom.`;
  }

  private isHindered({ name, type }: RecordContent): boolean {
    const beside = [...(this.types.get(name) ?? [])].filter((other) => type === 'CNAME' || other === 'CNAME');
    // Cloudflare flattens the one of the zone itself; beside it, only what is no address may stand.
    return name === this.zoneName ? isAddress(type) && beside.some(isAddress) : beside.length > 0;
  }
}

const isAddress = (type: string) => ['A', 'AAAA', 'CNAME'].includes(type);

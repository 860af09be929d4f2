import type { RecordContent } from '@vigie/contracts/dns-records';
import { isAddress, recordKey, shortName } from './canonical';

/** Indexes the records of a zone by key and by name, because a zone may have thousands. */
export class Neighbours {
  private readonly keys = new Set<string>();
  private readonly types = new Map<string, Set<string>>();
  private readonly unproxiedAliases = new Set<string>();

  constructor(private readonly zoneName: string) {}

  add(record: RecordContent): void {
    this.keys.add(recordKey(record));
    this.types.set(record.name, (this.types.get(record.name) ?? new Set()).add(record.type));
    if (record.type === 'CNAME' && !record.proxied) this.unproxiedAliases.add(record.name);
  }

  /** Returns why a record cannot be added: a duplicate, or a CNAME beside an address. */
  clashWith(record: RecordContent): string | undefined {
    if (this.keys.has(recordKey(record))) return 'Un enregistrement identique existe déjà.';
    if (!this.hasClash(record)) return undefined;
    const name = shortName(record.name, this.zoneName);
    return record.type === 'CNAME'
      ? `«\u00a0${name}\u00a0» a déjà une adresse ou un CNAME\u00a0: retirez-les avant d’y mettre un CNAME.`
      : `«\u00a0${name}\u00a0» est un CNAME\u00a0: retirez-le avant de lui donner une adresse.`;
  }

  /**
   * Warns of records that an unproxied CNAME hides. The zone’s own CNAME hides nothing, because Cloudflare flattens it.
   */
  warningBeside({ name, type, proxied }: RecordContent): string | undefined {
    const isHidden = type === 'CNAME' ? !proxied && this.typesOf(name).length > 0 : this.unproxiedAliases.has(name);
    return isHidden && name !== this.zoneName
      ? 'Un CNAME sans proxy cache les autres enregistrements de son nom\u00a0: ils ne répondent pas toujours.'
      : undefined;
  }

  /** Cloudflare accepts a CNAME beside any record that is not itself an address or a CNAME. */
  private hasClash({ name, type }: RecordContent): boolean {
    return isAddress(type) && this.typesOf(name).some((other) => isAddress(other) && [type, other].includes('CNAME'));
  }

  private typesOf(name: string): string[] {
    return [...(this.types.get(name) ?? [])];
  }
}

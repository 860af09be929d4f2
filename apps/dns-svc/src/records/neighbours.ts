import type { RecordContent } from '@vigie/contracts/dns-records';
import { isAddress, keyOf, shortName } from './canonical';

/** The records that one more would stand beside: by what they are, and by name, for there may be thousands. */
export class Neighbours {
  private readonly keys = new Set<string>();
  private readonly types = new Map<string, Set<string>>();
  /** The names of those CNAMEs that are not proxied. */
  private readonly bare = new Set<string>();

  constructor(private readonly zoneName: string) {}

  add(record: RecordContent): void {
    this.keys.add(keyOf(record));
    this.types.set(record.name, (this.types.get(record.name) ?? new Set()).add(record.type));
    if (record.type === 'CNAME' && !record.proxied) this.bare.add(record.name);
  }

  /** The same record twice, or a CNAME beside an address; undefined where nothing hinders. */
  clashWith(record: RecordContent): string | undefined {
    if (this.keys.has(keyOf(record))) return 'Un enregistrement identique existe déjà.';
    if (!this.isHindered(record)) return undefined;
    const name = shortName(record.name, this.zoneName);
    return record.type === 'CNAME'
      ? `«\u00a0${name}\u00a0» a déjà une adresse ou un CNAME\u00a0: retirez-les avant d’y mettre un CNAME.`
      : `«\u00a0${name}\u00a0» est un CNAME\u00a0: retirez-le avant de lui donner une adresse.`;
  }

  /** What is taken, and yet not heard by everybody; but for the zone itself, whose CNAME is always flattened. */
  warningBeside({ name, type, proxied }: RecordContent): string | undefined {
    const isHidden = type === 'CNAME' ? !proxied && this.typesOf(name).length > 0 : this.bare.has(name);
    return isHidden && name !== this.zoneName
      ? 'Un CNAME sans proxy cache les autres enregistrements de son nom\u00a0: ils ne répondent pas toujours.'
      : undefined;
  }

  /** Cloudflare takes a CNAME beside anything but what says itself where the name leads. */
  private isHindered({ name, type }: RecordContent): boolean {
    return isAddress(type) && this.typesOf(name).some((other) => isAddress(other) && [type, other].includes('CNAME'));
  }

  private typesOf(name: string): string[] {
    return [...(this.types.get(name) ?? [])];
  }
}

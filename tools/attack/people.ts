import type { TestProduct } from '@vigie/testing/product';
import { addUser } from '@vigie/testing/people';
import type { Random } from '../chaos/random';
import type { Person } from './cases';

type Account = { email: string; password: string };
type Kind = { account: keyof Accounts | undefined; headers?: Record<string, string>; weight: number };
type Accounts = Record<'owner' | 'other' | 'impostor' | 'admin', Account>;

export const ownerName = 'propriétaire';
/** An administrator who sees everybody's. */
export const seesAll = 'admin (mode)';

/** Everybody who sends requests, and how often each does. */
const kinds: Record<string, Kind> = {
  personne: { account: undefined, weight: 1 },
  'session finie': { account: undefined, weight: 1 },
  [ownerName]: { account: 'owner', weight: 8 },
  'autre client': { account: 'other', weight: 3 },
  imposteur: { account: 'impostor', weight: 1 },
  admin: { account: 'admin', weight: 2 },
  [seesAll]: { account: 'admin', headers: { 'x-admin-mode': '1' }, weight: 2 },
};

/** Who attacks: each with a session of their own, which an attack may end. */
export class People {
  private readonly sessions = new Map<string, string>();

  private constructor(
    private readonly product: TestProduct,
    readonly accounts: Accounts,
    readonly ids: Record<keyof Accounts, string>,
  ) {}

  static async make(product: TestProduct, root: string): Promise<People> {
    const [owner, other, impostor, admin] = await Promise.all([
      addUser(product, root),
      addUser(product, root),
      addUser(product, root),
      addUser(product, root, 'admin'),
    ]);
    const accounts = { owner: owner.who, other: other.who, impostor: impostor.who, admin: admin.who };
    const ids = { owner: owner.id, other: other.id, impostor: impostor.id, admin: admin.id };
    const people = new People(product, accounts, ids);
    people.sessions.set('session finie', owner.token);
    await product.request('POST', '/api/auth/logout', { token: owner.token });
    await people.renew();
    return people;
  }

  /** A new session for whoever has none any more. */
  async renew(): Promise<void> {
    await Promise.all(
      Object.entries(kinds).map(async ([name, { account }]) => {
        if (!account || (await this.isIn(this.sessions.get(name)))) return;
        this.sessions.set(name, await this.product.login(this.accounts[account]));
      }),
    );
  }

  some(random: Random): Person {
    const names = Object.entries(kinds).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));
    return this.named(random.one(names));
  }

  named(name: string): Person {
    const token = this.sessions.get(name);
    const forged: Record<string, string> =
      name === 'imposteur' ? { 'x-user-id': this.ids.owner, 'x-admin-mode': '1' } : {};
    const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return { name, headers: { ...bearer, ...forged, ...kinds[name]?.headers } };
  }

  token(name: string): string {
    return this.sessions.get(name) ?? '';
  }

  /** Nobody writes them down. */
  get tokens(): string[] {
    return [...this.sessions.values()];
  }

  private async isIn(token: string | undefined): Promise<boolean> {
    if (token === undefined) return false;
    return (await this.product.request('GET', '/api/auth/me', { token })).status === 200;
  }
}

/** Whether this person may be told that something was done, by the policy of the route and by whose object it names. */
export function mayPass(name: string, access: string, isOwned: boolean): boolean {
  if (['public', 'guest', 'ticket'].includes(access)) return true;
  if (kinds[name]?.account === undefined) return false;
  if (access === 'admin') return kinds[name].account === 'admin';
  return !isOwned || name === ownerName || name === seesAll;
}

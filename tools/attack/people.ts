import type { TokenScope } from '@vigie/contracts/token-scopes';
import type { TestProduct } from '@vigie/testing/product';
import { addUser } from '@vigie/testing/people';
import type { Random } from '../chaos/random';
import type { Person } from './cases';
import type { Route } from './routes';

type Account = { email: string; password: string };
type Kind = { account: keyof Accounts | undefined; headers?: Record<string, string>; weight: number };
type Accounts = Record<'owner' | 'other' | 'guest' | 'impostor' | 'admin', Account>;

export const ownerName = 'propriétaire';
/** Sees what the owner shares with them, and may change none of it. */
const guestName = 'lecteur';
/** A token of the owner with these scopes. */
const tokenName = 'jeton';
const scopes: readonly TokenScope[] = ['read', 'backup'];
/** An administrator in the mode that shows the objects of all users. */
const adminModeName = 'admin (mode)';

/** The kinds of senders, and how often each is chosen. */
const senderKinds: Record<string, Kind> = {
  personne: { account: undefined, weight: 1 },
  'session finie': { account: undefined, weight: 1 },
  [ownerName]: { account: 'owner', weight: 8 },
  'autre client': { account: 'other', weight: 3 },
  [guestName]: { account: 'guest', weight: 3 },
  [tokenName]: { account: 'owner', weight: 3 },
  imposteur: { account: 'impostor', weight: 1 },
  admin: { account: 'admin', weight: 2 },
  [adminModeName]: { account: 'admin', headers: { 'x-admin-mode': '1' }, weight: 2 },
};

/** The senders, each with a session that an attack may end. */
export class People {
  private readonly sessions = new Map<string, string>();

  private constructor(
    private readonly product: TestProduct,
    readonly accounts: Accounts,
    readonly ids: Record<keyof Accounts, string>,
  ) {}

  static async create(product: TestProduct, adminToken: string): Promise<People> {
    const [owner, other, guest, impostor, admin] = await Promise.all([
      addUser(product, adminToken),
      addUser(product, adminToken),
      addUser(product, adminToken),
      addUser(product, adminToken),
      addUser(product, adminToken, 'admin'),
    ]);
    const accounts = {
      owner: owner.credentials,
      other: other.credentials,
      guest: guest.credentials,
      impostor: impostor.credentials,
      admin: admin.credentials,
    };
    const ids = { owner: owner.id, other: other.id, guest: guest.id, impostor: impostor.id, admin: admin.id };
    const people = new People(product, accounts, ids);
    people.sessions.set('session finie', owner.token);
    await product.request('POST', '/api/auth/logout', { token: owner.token });
    await people.renew();
    return people;
  }

  /** Logs senders in again whose session has ended. */
  async renew(): Promise<void> {
    await Promise.all(
      Object.entries(senderKinds).map(async ([name, { account }]) => {
        if (!account || (await this.isLoggedIn(this.sessions.get(name)))) return;
        const session = await this.product.login(this.accounts[account]);
        this.sessions.set(name, name === tokenName ? await this.makeToken(session) : session);
      }),
    );
  }

  private async makeToken(session: string): Promise<string> {
    const expiresAt = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
    const { body } = await this.product.request('POST', '/api/tokens', {
      token: session,
      body: { name: tokenName, scopes, expires_at: expiresAt },
    });
    return String(body['token']);
  }

  pick(random: Random): Person {
    const names = Object.entries(senderKinds).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));
    return this.person(random.one(names));
  }

  person(name: string): Person {
    const token = this.sessions.get(name);
    const forged: Record<string, string> =
      name === 'imposteur' ? { 'x-user-id': this.ids.owner, 'x-admin-mode': '1' } : {};
    const bearer: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return { name, headers: { ...bearer, ...forged, ...senderKinds[name]?.headers } };
  }

  token(name: string): string {
    return this.sessions.get(name) ?? '';
  }

  /** Session tokens, which must not appear in logs. */
  get tokens(): string[] {
    return [...this.sessions.values()];
  }

  private async isLoggedIn(token: string | undefined): Promise<boolean> {
    if (token === undefined) return false;
    return (await this.product.request('GET', '/api/auth/me', { token })).status === 200;
  }
}

/** Whether this sender, who is not the owner, reads what the owner reads. */
export const readsForOwner = (name: string, owner: string | undefined): boolean =>
  owner !== undefined && (name === adminModeName || (name === tokenName && owner === ownerName));

type Attacked = { route: Pick<Route, 'access' | 'contract'>; isOwned: boolean; isShared: boolean };

/** Whether the request may succeed, by the access of the route and the owner of its object. */
export function mayPass(name: string, { route: { access, contract }, isOwned, isShared }: Attacked): boolean {
  if (['public', 'guest', 'ticket'].includes(access)) return true;
  if (senderKinds[name]?.account === undefined) return false;
  if (name === tokenName) return contract?.scope !== undefined && scopes.includes(contract.scope);
  if (access === 'admin') return senderKinds[name].account === 'admin';
  if (name === guestName && isShared) return contract?.grantRole === 'viewer';
  return !isOwned || name === ownerName || name === adminModeName;
}

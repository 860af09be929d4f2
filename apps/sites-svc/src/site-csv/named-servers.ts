import type { SiteCsvLine } from '@vigie/contracts/site-csv';
import type { EntityManager } from 'typeorm';
import { Server } from '../servers/server.entity';
import { nearestName } from './nearest-name';

/** The servers of one owner that the lines of a file name. */
export class NamedServers {
  private constructor(
    private readonly servers: readonly Server[],
    /** Those to suggest for a name that is unknown. */
    private readonly names: readonly string[],
  ) {}

  static async read(manager: EntityManager, ownerId: string, lines: readonly SiteCsvLine[]): Promise<NamedServers> {
    const texts = [...new Set(lines.flatMap(({ server, host }) => [lower(server), lower(host)]))];
    const servers = await manager
      .createQueryBuilder(Server, 'v')
      .where({ ownerId })
      .andWhere('(lower(v.name) = any(:texts) or v.host = any(:texts))', { texts })
      .getMany();
    const found = new NamedServers(servers, []);
    if (lines.every(({ server }) => server === '' || found.called(server).length > 0)) return found;
    const names: { name: string }[] = await manager.query(
      'select name from servers where owner_id = $1 order by name limit 2000',
      [ownerId],
    );
    return new NamedServers(
      servers,
      names.map(({ name }) => name),
    );
  }

  /** The server of a line, null for a line that has its own host, or in French why it has none. */
  find(line: SiteCsvLine): Server | null | string {
    const { server: text } = line;
    const isReachedBy = ({ host, port, user }: Server) =>
      [
        line.host === '' || lower(line.host) === host,
        ['', String(port)].includes(line.port),
        ['', user].includes(line.user),
      ].every(Boolean);
    if (text === '') {
      const [only, ...others] = this.servers.filter(
        (server) => server.host === lower(line.host) && isReachedBy(server),
      );
      return others.length > 0 ? null : (only ?? null);
    }
    const called = this.called(text);
    const [first] = called;
    if (!first) return this.unknown(text);
    const [only, ...others] = called.length === 1 ? called : called.filter(isReachedBy);
    if (only && others.length === 0) return only;
    return `serveur «\u00a0${text}\u00a0»\u00a0: ${called.length} serveurs portent ce nom ou cet hôte. Précisez hôte, port et utilisateur.`;
  }

  private called(text: string): readonly Server[] {
    const byName = this.servers.filter(({ name }) => lower(name) === lower(text));
    return byName.length > 0 ? byName : this.servers.filter(({ host }) => host === lower(text));
  }

  private unknown(text: string): string {
    const nearest = nearestName(text, this.names);
    const advice =
      nearest === undefined ? 'Ajoutez-le d’abord' : `Le plus proche est «\u00a0${nearest}\u00a0». Corrigez-le`;
    return `serveur «\u00a0${text.slice(0, 80)}\u00a0»\u00a0: Vigie ne le connaît pas. ${advice}, ou videz cette case et donnez hôte, utilisateur et chemin.`;
  }
}

const lower = (text: string) => text.trim().toLowerCase();

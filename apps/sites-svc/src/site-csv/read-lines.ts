import type { SiteCsvLine } from '@vigie/contracts/site-csv';
import type { EntityManager } from 'typeorm';
import { GroupTree } from '../groups/group-tree';
import { type ExistingSite, findExisting } from './existing-sites';
import { NamedServers } from './named-servers';
import { type AcceptedLine, type RefusedLine, resolveLine } from './resolve-line';

/** The lines of a request, the owner's sites at their places by line, and his groups. */
export type ReadLines = {
  accepted: readonly AcceptedLine[];
  refused: readonly RefusedLine[];
  existing: ReadonlyMap<number, ExistingSite>;
  tree: GroupTree;
};

export async function readLines(
  manager: EntityManager,
  ownerId: string,
  lines: readonly SiteCsvLine[],
): Promise<ReadLines> {
  const [tree, servers] = [await GroupTree.read(manager, ownerId), await NamedServers.read(manager, ownerId, lines)];
  const resolved = lines.map((line) => resolveLine(line, servers, tree));
  const accepted = resolved.filter((line) => 'fields' in line);
  const refused = resolved.filter((line) => 'reason' in line);
  return { accepted, refused, existing: await findExisting(manager, ownerId, accepted), tree };
}

import { z } from 'zod';
import { contract } from './contract';
import { siteQuery } from './sites';
import { id, offset } from './text';

/** Lists the sites not in `except`, of one owner or of all, so that dns-svc can offer unlinked sites. */
export const listOtherSites = contract('sites.sites.list_others', {
  input: z.object({
    owner_id: id.nullable(),
    q: siteQuery.default(''),
    except: z.array(id).max(20_000),
    limit: z.int().min(1).max(1_000),
    offset,
  }),
  output: z.object({
    sites: z.array(z.object({ id, owner_id: id, name: z.string(), url: z.string() })),
    total: z.int(),
  }),
  callers: ['dns-svc'],
});

/** Describes sites for services that store their ids. Deleted sites are omitted. */
export const describeSites = contract('sites.sites.describe', {
  input: z.object({ ids: z.array(id).max(1_000) }),
  output: z.object({
    sites: z.array(
      z.object({
        id,
        owner_id: id,
        name: z.string(),
        url: z.string(),
        /** Host of the site's connection, its own or its server's; null without one. */
        host: z.string().nullable(),
      }),
    ),
  }),
  callers: ['dns-svc'],
});

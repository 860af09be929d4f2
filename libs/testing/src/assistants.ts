import { expect } from 'vitest';
import type { useSiteRows } from './site-rows';

type Json = Record<string, unknown>;
type Person = { id: string; token: string };

const allScopes = ['read', 'backup', 'restore', 'update'];

/** What an assistant does by its token, without the package of the protocol. */
export function useAssistants({ product, root, query, ask, site }: ReturnType<typeof useSiteRows>) {
  const tokenOf = async (user: Person = root, scopes = allScopes): Promise<string> => {
    const expires = new Date(Date.now() + 60 * 60_000).toISOString();
    const { body, text } = await ask('POST', '/tokens', { name: 'Claude', scopes, expires_at: expires }, user);
    if (typeof body['token'] !== 'string') throw new Error(text);
    return body['token'];
  };
  const callTool = async (token: string, name: string, fields: Json, headers: Record<string, string> = {}) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: fields } };
    const accept = 'application/json, text/event-stream';
    const { text } = await product().request('POST', '/api/mcp', {
      token,
      headers: { accept, ...headers },
      body: message,
    });
    const [json = '{}'] = /\{.*\}/.exec(text) ?? [];
    const { result } = JSON.parse(json) as { result?: { structuredContent?: Json } };
    if (!result?.structuredContent) throw new Error(text);
    return result.structuredContent;
  };
  const propose = async (token: string, name: string, fields: Json): Promise<string> => {
    const answer = await callTool(token, name, fields);
    expect(answer).toHaveProperty('proposal_id');
    return String(answer['proposal_id']);
  };
  /** A site with a waiting update. */
  const outdatedSite = async (name: string, owner: Person = root): Promise<string> => {
    const id = await site(name, { updates_plugins: 1 }, owner);
    await query(
      `insert into sites.site_extensions (site_id, type, slug, kind, file, name, version, status, is_network_active, has_update, new_version)
       values ($1, 'plugin', 'vitrine', 'regular', 'vitrine/vitrine.php', 'Vitrine', '1.0', 'active', false, true, '1.1')`,
      id,
    );
    return id;
  };
  const confirm = (id: string, user: Person = root) => ask('POST', `/proposals/${id}/confirm`, {}, user);
  const read = async (id: string, user: Person = root) => (await ask('GET', `/proposals/${id}`, undefined, user)).body;
  const countJobs = async () =>
    Number((await query('select count(*)::text from sites.jobs where not is_batch'))[0]?.['count']);
  return { tokenOf, callTool, propose, outdatedSite, confirm, read, countJobs };
}

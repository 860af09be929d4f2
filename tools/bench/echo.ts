import { ConsoleClient, type ConsoleOptions, type ConsoleAccess } from '@vigie/testing/consoles';

/** From here on each byte comes back by itself. */
export const echoing = 'stty raw -echo; printf "pr%s" et; exec cat';
export const isEchoing = 'pret';

/** A console in which each byte that is typed comes back. */
export async function openEcho(door: ConsoleAccess, serverId: string, options: ConsoleOptions): Promise<ConsoleClient> {
  const client = await ConsoleClient.open(door, serverId, options);
  await client.frame('attached');
  client.type(`${echoing}\r`);
  await client.sees(isEchoing);
  client.keepsOutput = false;
  return client;
}

/** The gateways of a product that runs elsewhere. */
export function doorOf(gateways: string[]): ConsoleAccess {
  const request: ConsoleAccess['request'] = async (method, path, options) => {
    const { token = '', body, at = 0 } = options ?? {};
    const response = await fetch(`${gateways[at]}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
  return { gateways, request };
}

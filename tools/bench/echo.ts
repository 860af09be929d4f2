import { ConsoleClient, type ConsoleOptions, type ConsoleAccess } from '@vigie/testing/consoles';

/** After this command the terminal returns each byte. */
export const echoCommand = 'stty raw -echo; printf "pr%s" et; exec cat';
export const echoMarker = 'pret';

export async function openEcho(
  access: ConsoleAccess,
  serverId: string,
  options: ConsoleOptions,
): Promise<ConsoleClient> {
  const client = await ConsoleClient.open(access, serverId, options);
  await client.frame('attached');
  client.type(`${echoCommand}\r`);
  await client.waitForOutput(echoMarker);
  client.isOutputKept = false;
  return client;
}

/** Creates access to the gateways of a product that runs in another process. */
export function createAccess(gateways: string[]): ConsoleAccess {
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

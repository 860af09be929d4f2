import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Fleet } from '@vigie/testing/fleet/fleet';
import { siteKinds } from '@vigie/testing/fleet/kinds';

/** Where a search for sites looks, and may list. */
const place = '/srv';

/** A fleet for whoever starts this: one line says where it is, and it ends with its standard input. */
async function main(wanted: readonly string[]): Promise<void> {
  mkdirSync(place, { recursive: true });
  const folder = mkdtempSync(`${place}/vigie-fleet-`);
  const ended = new Promise((resolve) => process.stdin.once('end', resolve).resume());
  try {
    const fleet = await Fleet.start({ kinds: siteKinds.filter((kind) => wanted.includes(kind)), folder });
    chmodSync(folder, 0o755);
    const { host, sites, versions } = fleet;
    console.log(JSON.stringify({ port: host.port, privateKey: host.privateKey, sites, versions }));
    await ended;
    await fleet.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));

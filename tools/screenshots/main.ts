import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { launchBrowser, requireChromium } from '../bench/browser';
import { Api } from '../start/demo/api';
import { readSettings, root } from '../start/env';
import { fr, Refusal, runTool } from '../terminal';
import { step } from '../trials';
import { findPictures, type Picture } from './pictures';

const help = fr`Fait les images du README, dans les deux thèmes, d’une démonstration qui tourne (npm run demo).

  npm run screenshots [-- NOM…]

Les images vont dans docs/pictures, où le README et docs/ les prennent. Donnez à la commande les mêmes VIGIE_HOME, HOST et PORT qu’à la démonstration. La première fois, elle
y lance une mise à jour de plusieurs sites, dont une qui casse son site et que Vigie annule.
`;

const themes = ['light', 'dark'] as const;
const folder = join(root, 'docs/pictures');

await runTool(async () => {
  const names = process.argv.slice(2);
  if (names.some((name) => name.startsWith('-'))) console.log(help);
  else await takePictures(names);
});

async function takePictures(names: readonly string[]): Promise<void> {
  const executablePath = requireChromium();
  const settings = readSettings();
  const address = `http://${settings.host}:${settings.port}`;
  const api = await Api.login(address, settings).catch(() => undefined);
  if (!api) throw new Refusal(fr`Aucune démonstration ne répond à ${address} : lancez d’abord npm run demo.`);
  step(fr`Prépare ce que les images montrent…`);
  const pictures = (await findPictures(api)).filter(({ name }) => names.length === 0 || names.includes(name));
  const browser = await launchBrowser(executablePath);
  mkdirSync(folder, { recursive: true });
  try {
    for (const theme of themes) await takeTheme(browser, { address, token: api.token, pictures, theme });
  } finally {
    await browser.close();
  }
}

type Session = { address: string; token: string; pictures: readonly Picture[]; theme: (typeof themes)[number] };

async function takeTheme(browser: Browser, { address, token, pictures, theme }: Session): Promise<void> {
  const page = await browser.newPage({
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'fr-FR',
  });
  await page.addInitScript(`localStorage.setItem('access_token', ${JSON.stringify(token)})`);
  for (const { name, path, content } of pictures) {
    step(fr`${name}, ${theme}`);
    await page.goto(path);
    await page.getByText(content).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
  }
  await page.close();
}

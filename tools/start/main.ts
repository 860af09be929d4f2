import { describeAdmin } from './admin';
import { build } from './build';
import { bold, fr, say } from './console';
import { readSettings } from './env';
import { Lifecycle } from './lifecycle';
import { readOptions, startHelp } from './options';
import { startProduct } from './product';

await new Lifecycle().run(async (life) => {
  if (readOptions(process.argv.slice(2), 'npm start')) {
    console.log(startHelp);
    return;
  }
  const settings = readSettings();
  const { address } = await startProduct(life, settings, () => build(say, settings.given, life.signal));
  say(fr`Vigie est prête : ${bold(settings.publicUrl ?? address)}`);
  for (const line of describeAdmin(settings)) say(line);
  say(fr`Ctrl-C arrête tout. Journaux : ${settings.home}/logs`);
});

import { bold, fr, say } from '../terminal';
import { describeAdmin } from './admin';
import { build } from './build';
import { Demo } from './demo/demo';
import { readSettings } from './env';
import { Lifecycle } from './lifecycle';
import { readOptions, startHelp } from './options';
import { startProduct } from './product';

await new Lifecycle().run(async (life) => {
  const options = readOptions(process.argv.slice(2), 'npm start', ['--demo']);
  if (options.has('--help')) {
    console.log(startHelp);
    return;
  }
  const envSettings = readSettings();
  const demo = options.has('--demo') ? await Demo.prepare(life, envSettings) : undefined;
  const settings = demo?.settings ?? envSettings;
  const prepare = async () => {
    await life.waitForBoth([build(say, settings.env, life.signal), demo?.start() ?? Promise.resolve()]);
  };
  const { address } = await startProduct(life, settings, prepare);
  await demo?.register(address);
  say(fr`Vigie est prête : ${bold(settings.publicUrl ?? address)}`);
  for (const line of describeAdmin(settings)) say(line);
  say(fr`Ctrl-C arrête tout. Journaux : ${settings.home}/logs`);
});

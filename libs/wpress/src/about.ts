import { readNote, type VigieNote } from './vigie-note';
import { flag, list, type Json, parseJson, record, text } from './json';
import { damaged, refuse } from './refusal';

/** Contents of package.json, which describes the packed site; old plugins write fewer fields. */
export type About = {
  siteUrl: string | null;
  homeUrl: string | null;
  internalSiteUrl: string | null;
  internalHomeUrl: string | null;
  plugin: string | null;
  wordpress: {
    version: string | null;
    root: string | null;
    content: string | null;
    uploads: string | null;
    uploadsUrl: string | null;
  };
  database: { version: string | null; charset: string | null; collation: string | null; prefix: string | null };
  php: { version: string | null; system: string | null };
  plugins: string[];
  template: string | null;
  stylesheet: string | null;
  /** The excluded parts: names of the flags that start with `No`. */
  without: string[];
  note: VigieNote | null;
};

/** Limits package.json, whose size the archive chooses. */
export const maxPackageInfoBytes = 16 * 1_048_576;
const maxPlugins = 5_000;

export function readPackageInfo(bytes: Buffer): About {
  const all = record(parseJson(bytes.toString()));
  if (!all) throw damaged('Cette archive est abîmée\u00a0: son fichier package.json n’est pas lisible.');
  refuseUnreadable(all);
  const [wordpress, database, php] = [sectionOf(all, 'WordPress'), sectionOf(all, 'Database'), sectionOf(all, 'PHP')];
  return {
    siteUrl: text(all['SiteURL']),
    homeUrl: text(all['HomeURL']),
    internalSiteUrl: text(all['InternalSiteURL']),
    internalHomeUrl: text(all['InternalHomeURL']),
    plugin: text(record(all['Plugin'])?.['Version']),
    wordpress: {
      version: text(wordpress['Version']),
      root: text(wordpress['Absolute']),
      content: text(wordpress['Content']),
      uploads: text(wordpress['Uploads']),
      uploadsUrl: text(wordpress['UploadsURL']),
    },
    database: {
      version: text(database['Version']),
      charset: text(database['Charset']),
      collation: text(database['Collate']),
      prefix: text(database['Prefix']),
    },
    php: { version: text(php['Version']), system: text(php['System']) },
    plugins: list(all['Plugins'], maxPlugins).flatMap((plugin) => text(plugin) ?? []),
    template: text(all['Template']),
    stylesheet: text(all['Stylesheet']),
    without: Object.keys(all).filter((key) => /^No[A-Z][A-Za-z]{1,40}$/.test(key) && flag(all[key])),
    note: readNote(all['Vigie']),
  };
}

const sectionOf = (all: Json, name: string): Json => record(all[name]) ?? {};

function refuseUnreadable(all: Json): void {
  if (flag(all['Encrypted'])) {
    const remedy = 'Refaites la sauvegarde sans mot de passe.';
    throw refuse('encrypted', 'Cette archive est chiffrée\u00a0: Vigie ne lit pas encore ces archives.', remedy);
  }
  const compression = record(all['Compression']);
  if (compression && flag(compression['Enabled'])) {
    const remedy = 'Refaites la sauvegarde sans compression.';
    throw refuse('compressed', 'Cette archive est compressée\u00a0: Vigie ne lit pas encore ces archives.', remedy);
  }
}

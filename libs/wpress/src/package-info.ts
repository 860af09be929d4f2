import { readNote, type VigieNote } from './vigie-note';
import { isTruthy, readList, type Json, parseJson, readRecord, readText } from './json';
import { damaged, refuse } from './refusal';

/** Contents of package.json, which describes the packed site; old plugins write fewer fields. */
export type PackageInfo = {
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

export function readPackageInfo(bytes: Buffer): PackageInfo {
  const all = readRecord(parseJson(bytes.toString()));
  if (!all) throw damaged('Cette archive est abîmée\u00a0: son fichier package.json n’est pas lisible.');
  refuseUnreadable(all);
  const [wordpress, database, php] = [sectionOf(all, 'WordPress'), sectionOf(all, 'Database'), sectionOf(all, 'PHP')];
  return {
    siteUrl: readText(all['SiteURL']),
    homeUrl: readText(all['HomeURL']),
    internalSiteUrl: readText(all['InternalSiteURL']),
    internalHomeUrl: readText(all['InternalHomeURL']),
    plugin: readText(readRecord(all['Plugin'])?.['Version']),
    wordpress: {
      version: readText(wordpress['Version']),
      root: readText(wordpress['Absolute']),
      content: readText(wordpress['Content']),
      uploads: readText(wordpress['Uploads']),
      uploadsUrl: readText(wordpress['UploadsURL']),
    },
    database: {
      version: readText(database['Version']),
      charset: readText(database['Charset']),
      collation: readText(database['Collate']),
      prefix: readText(database['Prefix']),
    },
    php: { version: readText(php['Version']), system: readText(php['System']) },
    plugins: readList(all['Plugins'], maxPlugins).flatMap((plugin) => readText(plugin) ?? []),
    template: readText(all['Template']),
    stylesheet: readText(all['Stylesheet']),
    without: Object.keys(all).filter((key) => /^No[A-Z][A-Za-z]{1,40}$/.test(key) && isTruthy(all[key])),
    note: readNote(all['Vigie']),
  };
}

const sectionOf = (all: Json, name: string): Json => readRecord(all[name]) ?? {};

function refuseUnreadable(all: Json): void {
  if (isTruthy(all['Encrypted'])) {
    const remedy = 'Refaites la sauvegarde sans mot de passe.';
    throw refuse('encrypted', 'Cette archive est chiffrée\u00a0: Vigie ne lit pas encore ces archives.', remedy);
  }
  const compression = readRecord(all['Compression']);
  if (compression && isTruthy(compression['Enabled'])) {
    const remedy = 'Refaites la sauvegarde sans compression.';
    throw refuse('compressed', 'Cette archive est compressée\u00a0: Vigie ne lit pas encore ces archives.', remedy);
  }
}

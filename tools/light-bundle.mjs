// Plugins of the bundler that keep a service small: Node holds all code and maps that a process loads in its memory.
import { decode, encode } from '@jridgewell/sourcemap-codec';

/** Drivers of other databases and a second kind of queue, which their packages load whether they are used or not. */
export const unusedParts =
  /node_modules\/(?:typeorm\/driver\/(?!postgres\/)[^/]+\/\w+Driver|bullmq\/dist\/cjs\/postgres\/index)\.js$/;

/** Replaces the unused parts by objects of which nothing can be read. */
export const withoutUnusedParts = {
  name: 'without-unused-parts',
  load: {
    filter: { id: unusedParts },
    handler: (id) => {
      const why = JSON.stringify(`${id.replace(/^.*node_modules\//, '')} is left out of the bundle, for `);
      return `module.exports = new Proxy({}, { get(_, name) { throw new Error(${why} + String(name)); } });`;
    },
  },
};

/** Drops the maps of dependencies, which take longer to read than their code, and shrinks what else is loaded. */
export const lightChunks = {
  name: 'light-chunks',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      const map = bundle[`${file.fileName}.map`];
      if (map && file.name.startsWith('vendor')) {
        file.map = null;
        delete bundle[map.fileName];
        file.code = escapeWide(file.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
      } else if (map) {
        const light = lightCode(file.code, JSON.parse(String(map.source)));
        file.code = light.code;
        map.source = JSON.stringify(light.map);
      }
    }
  },
};

const wide = /[^\0-\u00ff]/g;
const escapeLength = '\\u2019'.length;

/** A single character beyond Latin-1 makes Node keep all the code with two bytes for each character. */
const escapeWide = (code) => code.replace(wide, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/**
 * Escapes the code, and keeps only what its map needs to name the line of a source: at the first stack trace Node turns
 * each mapping into an array that stays.
 */
export function lightCode(code, map) {
  const lines = code.split('\n');
  const mappings = decode(map.mappings).map((segments, line) => {
    const shift = shiftBy(lines[line] ?? '');
    return segments.filter(beginsLine).map(([column, ...source]) => [shift(column), ...source]);
  });
  return { code: escapeWide(code), map: { ...map, mappings: encode(mappings) } };
}

function beginsLine([, source, line], index, segments) {
  const before = segments[index - 1];
  return before === undefined || before[1] !== source || before[2] !== line;
}

/** Returns where a column of the line is once the characters before it are escaped; columns must be asked in order. */
function shiftBy(text) {
  const columns = [...text.matchAll(wide)].map(({ index }) => index);
  let passed = 0;
  return (column) => {
    while (passed < columns.length && columns[passed] < column) passed += 1;
    return column + passed * (escapeLength - 1);
  };
}

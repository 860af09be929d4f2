import creation from './php/creation.php';
import cutValues from './php/cut-values.php';
import definitions from './php/definitions.php';
import link from './php/link.php';
import load from './php/load.php';
import moves from './php/moves.php';
import replace from './php/replace.php';
import rowChange from './php/row-change.php';
import settle from './php/settle.php';
import sql from './php/sql.php';
import values from './php/values.php';

/** What loads a dump beside the tables of a site, beside what tells of that site. */
export const loadParts: readonly string[] = [
  sql,
  link,
  values,
  creation,
  moves,
  replace,
  settle,
  cutValues,
  rowChange,
  load,
  definitions,
];

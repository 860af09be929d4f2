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

/** Loads a dump into staged tables; the parts that describe a site come beside these. */
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

import creation from './php/create-table.php';
import cutValues from './php/truncated-values.php';
import definitions from './php/definitions.php';
import link from './php/connection.php';
import load from './php/load.php';
import moves from './php/replacements.php';
import replace from './php/replace.php';
import rowChange from './php/row-change.php';
import settle from './php/relocation.php';
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

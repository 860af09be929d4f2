import createTable from './php/create-table.php';
import truncatedValues from './php/truncated-values.php';
import definitions from './php/definitions.php';
import connection from './php/connection.php';
import load from './php/load.php';
import replacements from './php/replacements.php';
import replace from './php/replace.php';
import rowChange from './php/row-change.php';
import relocation from './php/relocation.php';
import sql from './php/sql.php';
import values from './php/values.php';

/** Loads a dump into staged tables; the parts that describe a site come beside these. */
export const loadParts: readonly string[] = [
  sql,
  connection,
  values,
  createTable,
  replacements,
  replace,
  relocation,
  truncatedValues,
  rowChange,
  load,
  definitions,
];

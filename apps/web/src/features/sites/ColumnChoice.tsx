import { Checkbox } from '@mantine/core';
import { siteColumns } from '@vigie/contracts/site-views';
import { Columns3 } from 'lucide-react';
import { Dropdown } from '../../ui/Dropdown';
import { useSignal } from '../../ui/signal';
import { chooseColumns, chosenColumns } from './columns';
import styles from './ColumnChoice.module.css';
import { columnLabels } from './words';

/** Chooses the columns of the list; columns without room move below the name. */
export function ColumnChoice() {
  const chosen = useSignal(chosenColumns);
  return (
    <Dropdown label="Colonnes" icon={Columns3} isBrief>
      <fieldset className={styles['choices']}>
        <legend>Colonnes affichées</legend>
        {siteColumns.map((column) => (
          <Checkbox
            key={column}
            className={styles['choice'] ?? ''}
            label={columnLabels[column]}
            checked={chosen.includes(column)}
            onChange={({ currentTarget: { checked } }) =>
              chooseColumns(checked ? [...chosen, column] : chosen.filter((other) => other !== column))
            }
          />
        ))}
      </fieldset>
    </Dropdown>
  );
}

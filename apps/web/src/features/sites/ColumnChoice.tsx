import { Checkbox, Text } from '@mantine/core';
import { siteColumns } from '@vigie/contracts/site-views';
import { Columns3 } from 'lucide-react';
import { Dropdown } from '../../ui/Dropdown';
import { useSignal } from '../../ui/signal';
import { chooseColumns, chosenColumns } from './columns';
import styles from './sites.module.css';
import { columnLabels } from './words';

/** Chooses the columns of the list; columns without room move below the name. */
export function ColumnChoice() {
  const chosen = useSignal(chosenColumns);
  return (
    <Dropdown label="Colonnes" icon={Columns3} isBrief>
      <fieldset>
        <Text component="legend" variant="hint" p="4px 8px">
          Colonnes affichées
        </Text>
        {siteColumns.map((column) => (
          <Checkbox
            key={column}
            className={styles['column'] ?? ''}
            w="auto"
            px={8}
            bdrs="sm"
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

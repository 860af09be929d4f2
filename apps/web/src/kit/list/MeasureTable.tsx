import { Box } from '@mantine/core';
import table from './list.module.css';

type Column<P> = { name: string; cellOf: (point: P) => string };
type Props<P> = {
  points: readonly P[];
  /** The name of the times, and how they are written. */
  times: { name: string; format: (ms: number) => string };
  columns: readonly Column<P>[];
  maxHeight: number;
};

/** The measures of a chart as text, the newest first. */
export const MeasureTable = <P extends { at: string }>({ points, times, columns, maxHeight }: Props<P>) => (
  <Box
    component="section"
    // Keyboards scroll what has the focus.
    tabIndex={0}
    aria-label="Mesures"
    mah={maxHeight}
    style={{ overflowY: 'auto', '--header': '0px', '--line': '32px' }}
  >
    <table className={table['table']} style={{ tableLayout: 'auto' }}>
      <thead>
        <tr>
          <th scope="col">{times.name}</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col" data-align="right">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point) => (
          <tr key={point.at}>
            <th scope="row">{times.format(Date.parse(point.at))}</th>
            {columns.map(({ name, cellOf }) => (
              <td key={name} data-align="right">
                {cellOf(point)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Box>
);

import styles from './Blueprint.module.css';

export type BlueprintKind = 'table' | 'cards' | 'tree' | 'drop';

type Box = readonly [x: number, y: number, width: number, height: number];

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

const rows = (from: number, count: number, indent: (row: number) => number = () => 0): Box[] =>
  range(count).flatMap((row): Box[] => {
    const y = from + row * 44;
    const x = 32 + indent(row);
    return [
      [x, y, 16, 16],
      [x + 32, y, 150 + ((row * 53) % 90), 16],
      [460, y, 120 + ((row * 37) % 70), 16],
      [760, y, 64, 16],
      [1060, y, 96, 16],
    ];
  });

const drawings: Record<BlueprintKind, readonly Box[]> = {
  table: [[32, 32, 260, 32], [1056, 32, 112, 32], ...rows(104, 14)],
  cards: [
    ...range(6).map((card): Box => [32 + (card % 3) * 384, 32 + Math.floor(card / 3) * 176, 368, 160]),
    ...rows(412, 6),
  ],
  tree: [[32, 32, 260, 32], [1056, 32, 112, 32], ...rows(104, 14, (row) => [0, 28, 28, 56, 28, 0, 28][row % 7] ?? 0)],
  drop: [[32, 32, 1136, 150], ...rows(216, 12)],
};

/** The outline of a screen to come, faint enough not to be taken for one. */
export function Blueprint({ kind }: { kind: BlueprintKind }) {
  return (
    <svg className={styles['blueprint']} viewBox="0 0 1200 700" aria-hidden focusable="false">
      {drawings[kind].map(([x, y, width, height]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} rx="6" />
      ))}
    </svg>
  );
}

import { Box, Button, Checkbox, Group } from '@mantine/core';
import type { ItemKind, Plan, PlannedChange } from '@vigie/contracts/changes';
import { SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ReadFailed } from '../../ui/ReadFailed';
import { Callout } from '../../ui/Callout';
import dialog from '../../kit/dialog/dialog.module.css';
import { EmptyState } from '../../ui/EmptyState';
import { DialogFoot } from '../../kit/dialog/DialogForm';
import { FormDialog } from '../../kit/dialog/FormDialog';
import planLine from '../../ui/PlanLine.module.css';
import { plural } from '../../ui/plural';
import { SearchField } from '../../kit/list/SearchField';
import { Skeleton } from '../../ui/Skeleton';
import { useCloseGuard } from '../../kit/dialog/LeaveGuard';
import { noFilter, linesToApply, lineKey, type PlanFilter, filterLines } from './plan';
import { PlanLines } from './PlanLines';
import { type CallState, failureReason } from '../../kit/query/failures';
import { formatDisk, unappliedChanges } from './words';

type PlanQuery = { currentData?: Plan | undefined; error?: unknown; isFetching: boolean; refetch: () => unknown };
type Shape = Parameters<typeof PlanLines>[0]['shape'];

type Props = {
  title: string;
  plan: PlanQuery;
  shape: Shape;
  /** Shown above the lines. */
  children?: ReactNode;
  action: { one: string; many: string; verb: string };
  call: CallState;
  /** The sites were chosen one by one, so closing the dialog asks first. */
  isChosen?: boolean;
  onApply: (lines: readonly PlannedChange[]) => void;
  onClose: () => void;
};

const kindOptions = [
  { kind: 'core', label: 'WordPress' },
  { kind: 'plugin', label: 'Plugins' },
  { kind: 'theme', label: 'Thèmes' },
] as const;

type FiltersProps = { lines: readonly PlannedChange[]; filter: PlanFilter; onChange: (next: PlanFilter) => void };

/** Lines that are filtered out are not applied. */
function Filters({ lines, filter, onChange }: FiltersProps) {
  const toggle = (kind: ItemKind, isOn: boolean) => {
    const kinds = new Set(filter.kinds);
    if (isOn) kinds.add(kind);
    else kinds.delete(kind);
    onChange({ ...filter, kinds });
  };
  return (
    <Group gap="8px 16px">
      <Group component="fieldset" aria-label="Ce qui est mis à jour" gap="4px 16px">
        {kindOptions.map(({ kind, label }) => {
          const count = lines.filter((line) => line.kind === kind).length;
          return (
            <Checkbox
              key={kind}
              label={`${label} (${count})`}
              disabled={count === 0}
              checked={count > 0 && filter.kinds.has(kind)}
              onChange={(event) => toggle(kind, event.currentTarget.checked)}
            />
          );
        })}
      </Group>
      <Box flex="1 1 220px">
        <SearchField
          label="Filtrer par élément ou par site"
          value={filter.q}
          onChange={(q) => onChange({ ...filter, q })}
        />
      </Box>
    </Group>
  );
}

/** Warnings about the whole plan. */
function Facts({ plan: { disks, notes, left_out: leftOut } }: { plan: Plan }) {
  const full = disks.filter(({ is_nearly_full: isNearlyFull }) => isNearlyFull);
  const others = disks.filter(({ is_nearly_full: isNearlyFull }) => !isNearlyFull);
  return (
    <>
      {full.length > 0 && (
        <Callout tone="warn">
          <p>{`Presque plein\u00a0: ${full.map(formatDisk).join(', ')}. Un élément sans place pour sa copie de sécurité ne sera pas modifié.`}</p>
        </Callout>
      )}
      {leftOut > 0 && (
        <Callout tone="info">
          <p>{`${plural(leftOut, 'élément de plus attend', 'éléments de plus attendent')}\u00a0: refaites un plan ensuite.`}</p>
        </Callout>
      )}
      {(notes.length > 0 || others.length > 0) && (
        <ul aria-label="À savoir" className={planLine['notes']}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          {others.length > 0 && <li>{`Disques occupés\u00a0: ${others.map(formatDisk).join(', ')}`}</li>}
        </ul>
      )}
    </>
  );
}

type PlanContentProps = {
  plan: Plan;
  shape: Shape;
  excluded: ReadonlySet<string>;
  filter: PlanFilter;
  onFilter: (next: PlanFilter) => void;
  onToggle: (lines: readonly PlannedChange[], isOn: boolean) => void;
};

function PlanContent({ plan, shape, filter, onFilter, ...rest }: PlanContentProps) {
  const lines = filterLines(plan.items, filter);
  if (plan.items.length === 0) {
    return <EmptyState icon={SearchX} title="Rien à faire, d’après la dernière lecture des sites." />;
  }
  return (
    <>
      <Facts plan={plan} />
      {shape === 'sites' && <Filters lines={plan.items} filter={filter} onChange={onFilter} />}
      {lines.length === 0 ? (
        <EmptyState icon={SearchX} title="Rien ne correspond." />
      ) : (
        <PlanLines lines={lines} shape={shape} {...rest} />
      )}
    </>
  );
}

/** Shows every change before any is applied. The focus starts on the cancel button. */
export function PlanDialog({ title, plan, shape, children, action, isChosen = false, onClose, ...rest }: Props) {
  const { call, onApply } = rest;
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState(noFilter);
  const { close, guard } = useCloseGuard({ isDirty: isChosen || excluded.size > 0, ...unappliedChanges, onClose });
  const { currentData: data, error, isFetching, refetch } = plan;
  const selected = data ? linesToApply(filterLines(data.items, filter), excluded) : [];
  const toggleLines = (lines: readonly PlannedChange[], isOn: boolean) => {
    const keys = lines.map(lineKey);
    setExcluded((current) => new Set(isOn ? [...current].filter((key) => !keys.includes(key)) : [...current, ...keys]));
  };
  return (
    <FormDialog title={title} isWide onClose={close}>
      <div className={dialog['content']}>
        {children}
        {data ? (
          <PlanContent
            plan={data}
            shape={shape}
            excluded={excluded}
            filter={filter}
            onFilter={setFilter}
            onToggle={toggleLines}
          />
        ) : error && !isFetching ? (
          <ReadFailed sentence={failureReason(error, 'Le plan n’a pas pu être établi.')} onRetry={refetch} />
        ) : (
          <Skeleton rows={4} height={56} />
        )}
      </div>
      <DialogFoot call={call} isCautious onCancel={close}>
        <Button disabled={selected.length === 0} loading={call.isLoading} onClick={() => onApply(selected)}>
          {selected.length === 0 ? action.verb : `${action.verb} ${plural(selected.length, action.one, action.many)}`}
        </Button>
      </DialogFoot>
      {guard}
    </FormDialog>
  );
}

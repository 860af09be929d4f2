import { Box, Group, Stack, Text } from '@mantine/core';
import { KeyRound, Lock, LockOpen, type LucideIcon, ShieldCheck, Ticket, Users } from 'lucide-react';
import { grantRoleLabel } from '../../kit/words/grant-roles';
import { Card } from '../../ui/Card';
import { CopyButton, CopyLine } from '../../ui/CopyLine';
import { useFocusOnMount } from '../../ui/focus';
import { Lines } from '../../ui/Lines';
import { Status } from '../../ui/Status';
import { Answers } from './Answers';
import type { ApiDocument, Schemas } from './api-document';
import { curlCommand, parameterExample } from './curl';
import { FieldLine, SchemaView } from './Fields';
import { Inline, Markdown } from './Markdown';
import { Method } from './Method';
import type { Operation } from './operations';
import styles from './api-reference.module.css';

type OperationProps = { operation: Operation };

/** Who may call without a right of a token: by the access rule of the operation. */
const accessWords: Readonly<Record<string, { icon: LucideIcon; label: string }>> = {
  public: { icon: LockOpen, label: 'Sans connexion' },
  guest: { icon: LockOpen, label: 'Connexion facultative' },
  ticket: { icon: Ticket, label: 'Ticket dans l’adresse' },
  bearer: { icon: KeyRound, label: 'Session ou tout jeton' },
};

const sessionOnly = { icon: Lock, label: 'Session seulement' };

/** What a caller needs: nothing, a right of its token, or the session of a person. */
function Rights({ operation: { 'x-scope': scope, 'x-access': access = '', 'x-grant-role': role } }: OperationProps) {
  const roleLabel = role === undefined ? undefined : grantRoleLabel(role);
  const { icon, label } = accessWords[access] ?? sessionOnly;
  return (
    <Group gap={8}>
      {scope === undefined ? (
        <Status tone="neutral" icon={icon}>
          {label}
        </Status>
      ) : (
        <Status tone="info" icon={KeyRound}>{`Droit du jeton\u00a0: ${scope}`}</Status>
      )}
      {access === 'admin' && (
        <Status tone="warn" icon={ShieldCheck}>
          Administrateurs
        </Status>
      )}
      {roleLabel !== undefined && <Status tone="neutral" icon={Users}>{`Partage\u00a0: ${roleLabel}`}</Status>}
    </Group>
  );
}

const placeWords: Readonly<Record<string, string>> = {
  path: 'dans le chemin',
  query: 'dans l’adresse, après ?',
  header: 'en-tête',
  cookie: 'cookie',
};

function Parameters({ operation, schemas }: { operation: Operation; schemas: Schemas }) {
  if (operation.parameters.length === 0) return null;
  return (
    <Stack component="section" gap={4} aria-labelledby="parameters">
      <h3 id="parameters">Paramètres</h3>
      <Lines>
        {operation.parameters.map((parameter) => {
          const { name, in: place, required = false, schema = {}, description } = parameter;
          const described = description === undefined ? schema : { ...schema, description };
          return (
            <FieldLine
              key={`${place} ${name}`}
              name={name}
              isRequired={required}
              use="request"
              place={placeWords[place] ?? place}
              schema={described}
              schemas={schemas}
              example={parameterExample(parameter)}
            />
          );
        })}
      </Lines>
    </Stack>
  );
}

function Body({ operation: { requestBody: body }, schemas }: { operation: Operation; schemas: Schemas }) {
  if (!body) return null;
  return (
    <Stack component="section" gap={4} aria-labelledby="body">
      <h3 id="body">{body.required === false ? 'Corps de la demande (facultatif)' : 'Corps de la demande'}</h3>
      {body.description !== undefined && (
        <p>
          <Inline text={body.description} />
        </p>
      )}
      {Object.entries(body.content ?? {}).map(([type, { schema }]) => (
        <div key={type}>
          {type !== 'application/json' && <Text variant="note">{`Type\u00a0: ${type}`}</Text>}
          {schema && <SchemaView schema={schema} schemas={schemas} use="request" />}
        </div>
      ))}
    </Stack>
  );
}

type Props = { operation: Operation; components: ApiDocument['components']; isChosen: boolean };

/** All that a program needs to know about one call. It takes the focus when somebody has just chosen it. */
export function OperationView({ operation, components, isChosen }: Props) {
  const { method, path, summary, description } = operation;
  const heading = useFocusOnMount<HTMLHeadingElement>(isChosen);
  return (
    <Card component="article" aria-labelledby="operation" p="var(--gutter)" miw={0}>
      <Stack gap={24}>
        <Stack gap={10}>
          <h2 id="operation" ref={heading} tabIndex={-1} className={styles['title']}>
            {summary}
          </h2>
          <Group gap={8}>
            <Method method={method} />
            <code className={styles['path']}>{path}</code>
            <CopyButton label="Copier le chemin" text={path} />
          </Group>
          <Rights operation={operation} />
          {description !== undefined && <Markdown source={description} />}
        </Stack>
        <Box style={{ '--code': '320px' }}>
          <CopyLine label="Exemple avec curl" text={curlCommand(operation)} />
        </Box>
        <Parameters operation={operation} schemas={components.schemas} />
        <Body operation={operation} schemas={components.schemas} />
        <Answers operation={operation} components={components} />
      </Stack>
    </Card>
  );
}

import { Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import type { JsonSchema, Schemas } from './api-document';
import { Inline } from './Markdown';
import { resolveSchema, type Shape, shapeOf } from './schema-shape';
import { nameLimits, nameType, valuesOf } from './schema-words';
import styles from './api-reference.module.css';

/** Draws what is in it only while it is open, so that a schema that contains itself has an end. */
function Unfolding({ name, children }: { name: string; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={links['unfold']}>
        <ChevronRight size={14} aria-hidden />
        {name}
      </summary>
      {isOpen && <div className={styles['nested']}>{children()}</div>}
    </details>
  );
}

/** Of a request, a reader asks what must be there; of an answer, what may be missing. */
type SchemaProps = { schema: JsonSchema; schemas: Schemas; use: 'request' | 'answer' };
type AboutProps = SchemaProps & { example?: unknown };

function format(value: unknown): string {
  if (value === '') return 'vide';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The description, limits, values and default of a field. */
function About({ schema, schemas, use, example }: AboutProps) {
  const { description, default: usual } = resolveSchema(schema, schemas);
  const values = valuesOf(schema, schemas);
  return (
    <>
      {description !== undefined && (
        <p>
          <Inline text={description} />
        </p>
      )}
      {values.length > 0 && (
        <Text variant="note">
          {'Valeurs\u00a0: '}
          {values.map((value, index) => (
            <span key={format(value)}>
              {index > 0 && ', '}
              <code className={`${styles['code']} ${styles['value']}`}>{format(value)}</code>
            </span>
          ))}
        </Text>
      )}
      {use === 'request' && usual !== undefined && <Value name="Par défaut" value={usual} />}
      {example !== undefined && <Value name="Exemple" value={example} />}
    </>
  );
}

const Value = ({ name, value }: { name: string; value: unknown }) => (
  <Text variant="note">
    {`${name}\u00a0: `}
    <code className={styles['code']}>{format(value)}</code>
  </Text>
);

function Presence({ isRequired, use }: { isRequired: boolean; use: SchemaProps['use'] }) {
  if (use === 'answer') {
    return isRequired ? null : (
      <Text span c="muted" fz={12}>
        peut manquer
      </Text>
    );
  }
  return isRequired ? (
    <Text span c="warn" fz={12} fw={500}>
      obligatoire
    </Text>
  ) : null;
}

type LineProps = AboutProps & { name: string; isRequired?: boolean; place?: string };

/** A field, a parameter or a header: its name and type, and beside them what it is for. */
export function FieldLine({ name, isRequired = false, place, schema, schemas, use, example }: LineProps) {
  const notes = [nameType(schema, schemas), ...nameLimits(schema, schemas), ...(place === undefined ? [] : [place])];
  const shape = shapeOf(schema, schemas);
  return (
    <li className={styles['field']}>
      <div>
        <Group gap="0 8px">
          <code className={styles['name']}>{name}</code>
          <Presence isRequired={isRequired} use={use} />
        </Group>
        <Text variant="hint">{notes.join(' · ')}</Text>
      </div>
      <div>
        <About schema={schema} schemas={schemas} use={use} example={example} />
        {shape && (
          <Unfolding name={'fields' in shape ? `Champs de ${name}` : `Formes de ${name}`}>
            {() => <ShapeView shape={shape} schemas={schemas} use={use} />}
          </Unfolding>
        )}
      </div>
    </li>
  );
}

type ShapeProps = Omit<SchemaProps, 'schema'> & { shape: Shape };

function ShapeView({ shape, ...rest }: ShapeProps) {
  if ('fields' in shape) {
    return (
      <Lines>
        {shape.fields.map((field) => (
          <FieldLine key={field.name} {...field} {...rest} />
        ))}
      </Lines>
    );
  }
  return (
    <>
      <Text variant="note">{'L’une de ces formes\u00a0:'}</Text>
      {shape.variants.map(({ name, schema }) => (
        <Unfolding key={name} name={name}>
          {() => <SchemaView schema={schema} {...rest} />}
        </Unfolding>
      ))}
    </>
  );
}

/** A body: its type, and its fields. */
export function SchemaView({ schema, ...rest }: SchemaProps) {
  const shape = shapeOf(schema, rest.schemas);
  const type = nameType(schema, rest.schemas);
  return (
    <div>
      {type !== 'objet' && <Text variant="note">{type.charAt(0).toLocaleUpperCase('fr') + type.slice(1)}</Text>}
      {shape ? <ShapeView shape={shape} {...rest} /> : <About schema={schema} {...rest} />}
    </div>
  );
}

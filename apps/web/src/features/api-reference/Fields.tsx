import { Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import type { JsonSchema, Schemas } from './api-document';
import { Inline } from './Markdown';
import { type Field, resolveSchema, type Shape, shapeOf } from './schema-shape';
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

type AboutProps = { schema: JsonSchema; schemas: Schemas; example?: unknown };

const format = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The description, limits, values and default of a field. */
function About({ schema, schemas, example }: AboutProps) {
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
              <code className={styles['code']}>{format(value)}</code>
            </span>
          ))}
        </Text>
      )}
      {usual !== undefined && <Value name="Par défaut" value={usual} />}
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

type LineProps = AboutProps & { name: string; isRequired?: boolean; place?: string };

/** A field, a parameter or a header: its name and type, and beside them what it is for. */
export function FieldLine({ name, isRequired = false, place, schema, schemas, example }: LineProps) {
  const notes = [nameType(schema, schemas), ...nameLimits(schema, schemas), ...(place === undefined ? [] : [place])];
  const shape = shapeOf(schema, schemas);
  return (
    <li className={styles['field']}>
      <div>
        <Group gap="0 8px">
          <code className={styles['name']}>{name}</code>
          {isRequired && (
            <Text span c="warn" fz={12} fw={500}>
              obligatoire
            </Text>
          )}
        </Group>
        <Text variant="hint">{notes.join(' · ')}</Text>
      </div>
      <div>
        <About schema={schema} schemas={schemas} example={example} />
        {shape && (
          <Unfolding name={'fields' in shape ? `Champs de ${name}` : `Formes de ${name}`}>
            {() => <ShapeView shape={shape} schemas={schemas} />}
          </Unfolding>
        )}
      </div>
    </li>
  );
}

const FieldList = ({ fields, schemas }: { fields: readonly Field[]; schemas: Schemas }) => (
  <Lines>
    {fields.map((field) => (
      <FieldLine key={field.name} {...field} schemas={schemas} />
    ))}
  </Lines>
);

function ShapeView({ shape, schemas }: { shape: Shape; schemas: Schemas }) {
  if ('fields' in shape) return <FieldList fields={shape.fields} schemas={schemas} />;
  return (
    <>
      <Text variant="note">{'L’une de ces formes\u00a0:'}</Text>
      {shape.variants.map(({ name, schema }) => (
        <Unfolding key={name} name={name}>
          {() => <SchemaView schema={schema} schemas={schemas} />}
        </Unfolding>
      ))}
    </>
  );
}

/** A body: its type, and its fields. */
export function SchemaView({ schema, schemas }: { schema: JsonSchema; schemas: Schemas }) {
  const shape = shapeOf(schema, schemas);
  const type = nameType(schema, schemas);
  return (
    <div>
      {type !== 'objet' && <Text variant="note">{type.charAt(0).toLocaleUpperCase('fr') + type.slice(1)}</Text>}
      {shape ? <ShapeView shape={shape} schemas={schemas} /> : <About schema={schema} schemas={schemas} />}
    </div>
  );
}

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { configSchema } from './schema.ts';

interface Setting {
  readonly name: string;
  /** JSON; undefined if it has none that is a single value. */
  readonly fallback: string | undefined;
}

const jsonSchema = z.looseObject({
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  default: z.unknown().optional(),
});

/** The leaves of a JSON schema by path. A record counts as one setting. */
function settingsOf(schema: unknown, path: readonly string[] = []): Setting[] {
  const { anyOf, oneOf, properties, default: fallback } = jsonSchema.parse(schema);
  const variants = path.length === 0 ? (anyOf ?? oneOf) : undefined;
  if (variants !== undefined) return variants.flatMap((variant) => settingsOf(variant));
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([name, child]) => settingsOf(child, [...path, name]));
  }
  const isSingle = fallback !== undefined && (typeof fallback !== 'object' || Array.isArray(fallback));
  return [{ name: path.join('.'), fallback: isSingle ? JSON.stringify(fallback) : undefined }];
}

const inSchema = new Map(
  settingsOf(z.toJSONSchema(configSchema, { io: 'input' })).map((setting) => [setting.name, setting.fallback]),
);

const rows = readFileSync('docs/configuration.md', 'utf8').matchAll(
  /^\| `(?<name>[\w.]+)` *\| (?<fallback>.*?) *\| \S/gm,
);
const inDocs = new Map([...rows].map(({ groups }) => [groups?.['name'] ?? '', groups?.['fallback'] ?? '']));

test('docs/configuration.md lists every setting of the schema, and no other', () => {
  expect(inSchema.size).toBeGreaterThan(30);
  expect([...inDocs.keys()].toSorted()).toEqual([...inSchema.keys()].toSorted());
});

test('docs/configuration.md names the defaults of the schema', () => {
  const wrong = [...inSchema].filter(([name, fallback]) => {
    if (fallback === undefined) return false;
    return inDocs.get(name)?.replaceAll('`', '').replaceAll("'", '"') !== fallback;
  });
  expect(wrong).toEqual([]);
});

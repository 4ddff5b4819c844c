import { z } from 'zod';
import type { Caller } from './authentication.ts';
import type { Forge } from './forge.ts';

export interface APIRequest {
  readonly caller: Caller;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined if there was none. */
  readonly body: unknown;
  /** A part of the path, decoded. */
  param(name: string): string;
}

export interface APIAnswer {
  readonly status: number;
  readonly body?: unknown;
  /** Of a list: how many entries all its pages hold. */
  readonly total?: number;
}

export type Handler = (forge: Forge, request: APIRequest) => APIAnswer | Promise<APIAnswer>;

/** An answer other than the wished one, in GitHub's words. */
export class APIError extends Error {
  override readonly name = 'APIError';
  readonly status: number;
  readonly errors: readonly unknown[] | undefined;

  constructor(status: number, message: string, errors?: readonly unknown[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

export const notFound = (message = 'Not Found'): APIError => new APIError(404, message);

/** A field that is missing or wrong. */
export function invalid(resource: string, field: string, code: string, message?: string): APIError {
  return new APIError(422, 'Validation Failed', [
    { resource, field, code, ...(message === undefined ? {} : { message }) },
  ]);
}

/** A wish that is well formed but cannot be granted. */
export const unprocessable = (message: string): APIError => new APIError(422, 'Unprocessable Entity', [message]);

export function parseBody<T>(schema: z.ZodType<T>, body: unknown, resource: string): T {
  const result = schema.safeParse(body ?? {}, { reportInput: true });
  if (result.success) return result.data;
  const errors = result.error.issues.map((issue) => ({
    resource,
    field: issue.path.join('.'),
    code: issue.code === 'invalid_type' && issue.input === undefined ? 'missing_field' : 'invalid',
    message: issue.message,
  }));
  throw new APIError(422, 'Validation Failed', errors);
}

/** A query parameter out of a fixed set. */
export function choice<const T extends string>(request: APIRequest, name: string, values: readonly [T, ...T[]]): T {
  const value = request.query.get(name) ?? values[0];
  const found = values.find((candidate) => candidate === value);
  if (found === undefined) throw invalid('Query', name, 'invalid', `must be one of ${values.join(', ')}`);
  return found;
}

/** The number of an issue, pull request or review in the path. */
export function numberParam(request: APIRequest, name: string): number {
  const text = request.param(name);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound();
  return Number(text);
}

export function pageOf(query: URLSearchParams): { number: number; size: number; offset: number } {
  const read = (name: string, fallback: number): number => {
    const value = Number(query.get(name) ?? fallback);
    return Number.isInteger(value) && value > 0 ? value : fallback;
  };
  const size = Math.min(read('per_page', 30), 100);
  const number = read('page', 1);
  return { size, number, offset: (number - 1) * size };
}

export interface Selection {
  /** A table or view, and what its rows must fulfil. */
  readonly from: string;
  readonly where: readonly [condition: string, value: string | number][];
  readonly order: string;
}

/** The wished page of a list that the store holds. */
export function selectPage<Row>(forge: Forge, request: APIRequest, row: z.ZodType<Row>, selection: Selection) {
  const { from, where, order } = selection;
  const { size, offset } = pageOf(request.query);
  const source = `FROM ${from} WHERE ${['true', ...where.map(([condition]) => condition)].join(' AND ')}`;
  const values = where.map(([, value]) => value);
  const rows = forge.store.all(row, `SELECT * ${source} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, size, offset);
  return { rows, total: count(forge, source, ...values) };
}

/** How many rows there are; `source` starts with FROM. */
export function count(forge: Forge, source: string, ...values: (string | number)[]): number {
  return forge.store.get(countRow, `SELECT count(*) AS count ${source}`, ...values)?.count ?? 0;
}

const countRow = z.object({ count: z.number() });

import type { ParameterOperation } from 'unbash';
import { type Field, INSIDE, isKnown, UNKNOWN } from './field.ts';

/**
 * `${name<operation>}` for a value of which something is known. Only what agents really write is worked out:
 * extensions, base names and folders of a path. Everything else is unknown.
 */
export function applyOperation(value: Field, operation: ParameterOperation): Field {
  if (operation.type !== 'Remove') return UNKNOWN;
  const pattern = operation.operand.text;
  if (pattern === '*/' && operation.operator === '##') return baseName(value);
  if (pattern === '/*' && operation.operator === '%') return folderName(value);
  // What is cut off the name of something inside may leave a name of something outside: `..x` less `x`.
  if (value.includes(INSIDE)) return UNKNOWN;
  if (pattern === '.*' && operation.operator === '%') return withoutExtension(value);
  if (!/^[\w./-]+$/.test(pattern)) return UNKNOWN;
  if (operation.operator.startsWith('%')) {
    return value.endsWith(pattern) ? value.slice(0, -pattern.length) : unchanged(value);
  }
  return value.startsWith(pattern) ? value.slice(pattern.length) : unchanged(value);
}

function baseName(value: Field): Field {
  return value.slice(value.lastIndexOf('/') + 1);
}

function folderName(value: Field): Field {
  const slash = value.lastIndexOf('/');
  if (slash !== -1 && !value.slice(slash).includes(INSIDE)) return value.slice(0, slash);
  return value.includes(INSIDE) ? value : unchanged(value);
}

function withoutExtension(value: Field): Field {
  const dot = value.lastIndexOf('.');
  return dot !== -1 && isKnown(value.slice(dot)) ? value.slice(0, dot) : unchanged(value);
}

/** Nothing was cut off, which is certain only if there was nothing to hide it. */
function unchanged(value: Field): Field {
  return isKnown(value) ? value : UNKNOWN;
}

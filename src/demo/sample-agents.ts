import type { Script, ScriptContext } from '../engine/runtime-adapter/scripted/create-scripted-adapter.ts';
import type { Step } from '../engine/runtime-adapter/scripted/scenario.ts';

const TEMPERATURE = `import { round } from './round.js';

export function celsiusToFahrenheit(value) {
  return round((value * 9) / 5 + 32);
}

export function fahrenheitToCelsius(value) {
  return round(((value - 32) * 5) / 9);
}
`;

const TEMPERATURE_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { celsiusToFahrenheit, fahrenheitToCelsius } from '../src/temperature.js';

test('converts temperatures both ways', () => {
  assert.equal(celsiusToFahrenheit(100), 212);
  assert.equal(fahrenheitToCelsius(212), 100);
});
`;

const DISTANCE = `import { round } from './round.js';

export function kilometresToMiles(value) {
  return round(value * 0.621371);
}
`;

const DISTANCE_CHECK = `  if (value < 0) throw new RangeError('a distance cannot be below zero');
`;

const DISTANCE_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kilometresToMiles } from '../src/distance.js';

test('converts kilometres to miles', () => {
  assert.equal(kilometresToMiles(42.195), 26.22);
});
`;

const DISTANCE_CHECK_TEST = `
test('refuses a distance below zero', () => {
  assert.throws(() => kilometresToMiles(-1), RangeError);
});
`;

const COMMAND = `#!/usr/bin/env node
import { kilometresToMiles } from '../src/distance.js';
import { celsiusToFahrenheit, fahrenheitToCelsius } from '../src/temperature.js';

const CONVERSIONS = {
  C: [celsiusToFahrenheit, 'F'],
  F: [fahrenheitToCelsius, 'C'],
  km: [kilometresToMiles, 'mi'],
};

const [value, unit] = process.argv.slice(2);
const [convert, to] = CONVERSIONS[unit] ?? [];
if (convert === undefined || Number.isNaN(Number(value))) {
  console.error('usage: measure <value> <C|F|km>');
  process.exitCode = 2;
} else {
  console.log(convert(Number(value)), to);
}
`;

const COMMAND_TEST = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('the command prints the converted value and its unit', () => {
  assert.equal(execFileSync('node', ['bin/measure.js', '20', 'C'], { encoding: 'utf8' }), '68 F\\n');
});
`;

const PLAN = {
  role: 'planner',
  create: [
    {
      tempID: 'temperature',
      title: 'Convert temperatures',
      body: 'Add `celsiusToFahrenheit` and `fahrenheitToCelsius` in `src/temperature.js`, with tests.',
      labels: ['priority:high', 'complexity:simple'],
      blockedBy: [],
    },
    {
      tempID: 'distance',
      title: 'Convert distances',
      body: 'Add `kilometresToMiles` in `src/distance.js`. A distance below zero is a `RangeError`. With tests.',
      labels: ['priority:medium', 'complexity:simple'],
      blockedBy: [],
    },
    {
      tempID: 'command',
      title: 'A command for both',
      body: 'Add `bin/measure.js`, which uses the two modules, with a test.',
      labels: ['priority:low', 'complexity:complex'],
      blockedBy: ['temperature', 'distance'],
    },
  ],
  close: [],
  update: [],
};

/** Agents that play a believable team: the second item needs a round of changes. `paceMs` is one beat of work. */
export function createSampleAgents(paceMs: number): Script {
  const wait: Step = { do: 'wait', ms: paceMs };
  const say = (text: string): Step => ({ do: 'print', text: `${text}\n` });
  const spend = (usd: number): Step => ({ do: 'spend', usd, inputTokens: usd * 200_000, outputTokens: usd * 20_000 });

  function implement(context: ScriptContext): Step[] {
    const title = context.workItem?.title ?? '';
    const begin = [
      say(`Reading the work item "${title}".`),
      spend(0.02),
      wait,
      say('Read README.md'),
      say('Read src/round.js: every conversion rounds with it, so this one will too.'),
    ];
    switch (title) {
      case 'Convert temperatures':
        return [
          ...begin,
          say('Two functions, one file. Writing them and a test for each direction.'),
          say('Write src/temperature.js'),
          say('Write test/temperature.test.js'),
          { do: 'write', path: 'src/temperature.js', content: TEMPERATURE },
          { do: 'write', path: 'test/temperature.test.js', content: TEMPERATURE_TEST },
          ...checked('Both conversions are there, with tests.'),
        ];
      case 'Convert distances':
        if (context.revision === null) {
          return [
            ...begin,
            say('One function: kilometres times 0.621371.'),
            say('Write src/distance.js'),
            say('Write test/distance.test.js'),
            { do: 'write', path: 'src/distance.js', content: DISTANCE },
            { do: 'write', path: 'test/distance.test.js', content: DISTANCE_TEST },
            ...checked('The conversion is there, with a test.'),
          ];
        }
        return [
          ...begin,
          say('The review is right: a distance below zero must be refused.'),
          say('Edit src/distance.js'),
          say('Write test/distance.test.js'),
          {
            do: 'edit',
            path: 'src/distance.js',
            find: '  return round',
            replace: `${DISTANCE_CHECK}  return round`,
          },
          { do: 'write', path: 'test/distance.test.js', content: `${DISTANCE_TEST}${DISTANCE_CHECK_TEST}` },
          ...checked('A distance below zero is now a RangeError, with a test.'),
        ];
      default:
        return [
          ...begin,
          say('Both modules are on the default branch by now; writing the command.'),
          say('Write bin/measure.js'),
          say('Write test/measure.test.js'),
          { do: 'write', path: 'bin/measure.js', content: COMMAND, executable: true },
          { do: 'write', path: 'test/measure.test.js', content: COMMAND_TEST },
          ...checked('The command is there, with a test.'),
        ];
    }
  }

  function checked(summary: string): Step[] {
    return [
      wait,
      say('Running the tests: node --test'),
      { do: 'run', command: 'node --test' },
      say('They pass.'),
      spend(0.06),
      wait,
      say(summary),
      { do: 'return', output: { role: 'implementor', outcome: 'completed', summary } },
    ];
  }

  function review(context: ScriptContext): Step[] {
    const isDistance = context.workItem?.title === 'Convert distances';
    const isFixed = context.prompt.includes('RangeError(');
    const verdict = isDistance && !isFixed ? 'needs-changes' : 'approve';
    const summary =
      verdict === 'approve'
        ? 'It does what the work item says, and its tests would notice if it did not.'
        : 'The work item asks for an error below zero; a negative distance is converted silently.';
    const comments =
      verdict === 'approve' ? [] : [{ path: 'src/distance.js', line: 4, body: 'Refuse `value < 0` here.' }];
    return [
      say('Reading the change against the work item.'),
      spend(0.03),
      wait,
      say(summary),
      { do: 'return', output: { role: 'reviewer', review: { verdict, summary, comments } } },
    ];
  }

  return (params, context) => {
    switch (params.role) {
      case 'planner':
        return [
          say('Reading the specification and the code that is there.'),
          spend(0.04),
          wait,
          say('Three work items: temperatures and distances can be done side by side; the command needs both.'),
          { do: 'return', output: PLAN },
        ];
      case 'implementor':
        return implement(context);
      case 'reviewer':
        return review(context);
    }
  };
}

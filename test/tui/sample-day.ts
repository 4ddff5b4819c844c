import type { FakeEngine } from './fake-engine.ts';
import { createFakeEngine } from './fake-engine.ts';
import { SAMPLE } from './sample-snapshot.ts';

/** An engine in the middle of a day's work, with everything that can be looked at. */
export function createSampleDay(): FakeEngine {
  const engine = createFakeEngine(SAMPLE);
  engine.bodies.set(4, ROUNDING);
  engine.bodies.set(10, ABSOLUTE_ZERO);
  engine.bodies.set(13, 'Values come from standard input, one per line.\n\nAn empty line is skipped.');
  engine.files.set(15, [
    {
      filename: 'src/round.js',
      status: 'added',
      patch: '@@ -0,0 +1,3 @@\n+export function round(value) {\n+  return 1;\n+}',
    },
    {
      filename: 'src/temperature.js',
      status: 'modified',
      patch: '@@ -1,2 +1,2 @@\n-return value;\n+return round(value);',
    },
    { filename: 'test/round.test.js', status: 'added', patch: '@@ -0,0 +1,2 @@\n+test();\n+test();' },
  ]);
  engine.reviews.set(15, {
    reviews: [
      {
        id: 1,
        author: 'decree[bot]',
        state: 'APPROVED',
        body: 'Rounds half away from zero, as the spec asks. Tests cover both signs.',
      },
    ],
    comments: [],
  });
  engine.write('session-10', IMPLEMENTOR_OUTPUT);
  engine.write('session-7', 'I compare the diff with the spec, file by file.\n');
  return engine;
}

const ROUNDING = `## What

Every conversion returns a value with **two decimal places** at most.

## Done when

- \`celsiusToFahrenheit(36.6)\` gives 97.88
- negative values round away from zero
- the README says so

<!-- decree:run 12.3 -->
`;

const ABSOLUTE_ZERO = `## What

No temperature is below absolute zero: -273.15 °C, -459.67 °F. Such a value is refused with a RangeError that names the limit.

## Done when

- both directions refuse it
- the limit itself is accepted
`;

const IMPLEMENTOR_OUTPUT = `I start with the tests: one for each limit, one just below it.
[Read] src/temperature.js
[Read] test/temperature.test.js
[Edit] test/temperature.test.js
[Bash] npm test
The two new tests fail, as they should. Now the check itself.
[Edit] src/temperature.js
Both functions share the check, so it goes into a function of its own.
[Bash] npm test
All 14 tests pass.
[Bash] git diff --stat
 src/temperature.js       | 11 +++++++++--
 test/temperature.test.js | 18 ++++++++++++++++++
I add a line about the limits to the README.
`;

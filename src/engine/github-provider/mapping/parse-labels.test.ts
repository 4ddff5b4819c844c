import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labelNames, parseLabels, uniqueLabels } from './parse-labels.ts';

describe('parseLabels', () => {
  test('[GHP-04] an item without a status label is pending', () => {
    expect(parseLabels(['task:implement', 'bug']).status).toBe('pending');
  });

  test('[GHP-05] of several status labels the alphabetically first counts', () => {
    expect(parseLabels(['status:review', 'status:in-progress', 'status:ready']).status).toBe('in-progress');
  });

  test('unknown values are out before the first is picked', () => {
    expect(parseLabels(['status:aaa', 'status:ready']).status).toBe('ready');
    expect(parseLabels(['status:aaa', 'priority:', 'complexity:epic'])).toMatchObject({
      status: 'pending',
      priority: null,
      complexity: null,
    });
  });

  test('[GHP-06] a priority label is read', () => {
    expect(parseLabels(['priority:medium']).priority).toBe('medium');
  });

  test('[GHP-07] without a priority label there is no priority', () => {
    expect(parseLabels(['status:ready']).priority).toBeNull();
  });

  test('[GHP-08] a complexity label is read', () => {
    expect(parseLabels(['complexity:high']).complexity).toBe('high');
  });

  test('[GHP-09] without a complexity label there is no complexity', () => {
    expect(parseLabels([]).complexity).toBeNull();
  });

  test.each(['pending', 'ready', 'unblocked', 'needs-changes', 'needs-refinement', 'blocked', 'approved', 'closed'])(
    'the label status:%s is understood',
    (status) => {
      expect(parseLabels([{ name: `status:${status}` }]).status).toBe(status);
    },
  );

  test("a label is the same in any case, as it is for GitHub's own filters", () => {
    expect(parseLabels(['Task:Implement', 'Status:READY'])).toMatchObject({ status: 'ready', isTask: true });
  });

  test('five hundred odd labels, emoji and null bytes do no harm', () => {
    const odd = Array.from({ length: 500 }, (_, n) => ({ name: `status:\u0000🦊 ${n}` }));
    expect(parseLabels([...odd, 'status:blocked'])).toMatchObject({ status: 'blocked', isTask: false });
  });

  test('whatever the labels are, the result is a known status', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.record({ name: fc.option(fc.string()) }))), (labels) => {
        expect(typeof parseLabels(labels).status).toBe('string');
      }),
    );
  });
});

describe('labelNames', () => {
  test('strings and objects give names, objects without one give nothing', () => {
    expect(labelNames(['a', { name: 'b' }, {}, { name: null }])).toEqual(['a', 'b']);
  });
});

describe('uniqueLabels', () => {
  test('keeps the first of names that differ only in case', () => {
    expect(uniqueLabels(['task:implement', 'Bug', 'bug', 'ui'])).toEqual(['task:implement', 'Bug', 'ui']);
  });
});

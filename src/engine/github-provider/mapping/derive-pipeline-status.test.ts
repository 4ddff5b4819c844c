import { describe, expect, test } from 'vitest';
import type { CheckRunData, CombinedStatusData } from '../github-client/answers.ts';
import { derivePipelineStatus, mapCheckRun } from './derive-pipeline-status.ts';

const NO_STATUSES: CombinedStatusData = { state: 'pending', total_count: 0, statuses: [] };

const statuses = (state: string): CombinedStatusData => ({
  state,
  total_count: 1,
  statuses: [{ state, context: 'ci/legacy', target_url: 'https://ci.example/legacy' }],
});

const check = (conclusion: string | null, name = 'build'): CheckRunData => ({
  name,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
  details_url: `https://ci.example/${name}`,
});

const derive = (combined: CombinedStatusData, ...checks: CheckRunData[]) =>
  derivePipelineStatus(combined, checks.map(mapCheckRun));

describe('derivePipelineStatus', () => {
  test('[GHP-22] all checks and statuses good: success', () => {
    expect(derive(statuses('success'), check('success'), check('success')).status).toBe('success');
  });

  test('[GHP-23] one failed check: failure', () => {
    expect(derive(statuses('success'), check('success'), check('failure')).status).toBe('failure');
  });

  test('[GHP-24] a cancelled check: failure', () => {
    expect(derive(NO_STATUSES, check('cancelled')).status).toBe('failure');
  });

  test.each(['timed_out', 'startup_failure'])('a check that ended as %s: failure', (conclusion) => {
    expect(derive(NO_STATUSES, check(conclusion)).status).toBe('failure');
  });

  test('[GHP-25] a check under way: pending', () => {
    expect(derive(statuses('success'), check('success'), check(null)).status).toBe('pending');
  });

  test.each(['queued', 'waiting', 'requested', 'pending', 'something-new'])('a check that is %s: pending', (status) => {
    expect(derive(NO_STATUSES, { ...check(null), status }).status).toBe('pending');
  });

  test('[GHP-26] neither checks nor statuses: pending, and the count says why', () => {
    expect(derive(NO_STATUSES)).toEqual({ status: 'pending', url: null, reason: null, checkCount: 0 });
  });

  test('[GHP-27] a failure names the first failing check and where to read about it', () => {
    expect(derive(statuses('failure'), check('success'), check('failure', 'lint'), check('failure', 'e2e'))).toEqual({
      status: 'failure',
      url: 'https://ci.example/lint',
      reason: 'lint',
      checkCount: 4,
    });
  });

  test('a failure known only from commit statuses names the status', () => {
    expect(derive(statuses('failure'), check('success'))).toMatchObject({
      status: 'failure',
      url: 'https://ci.example/legacy',
      reason: 'ci/legacy',
    });
  });

  test('[GHP-28] a success has neither url nor reason', () => {
    expect(derive(statuses('success'))).toEqual({ status: 'success', url: null, reason: null, checkCount: 1 });
  });

  test('GitHub says pending when there are no statuses: good checks alone are a success', () => {
    expect(derive(NO_STATUSES, check('success')).status).toBe('success');
  });

  test('pending statuses hold good checks back', () => {
    expect(derive(statuses('pending'), check('success')).status).toBe('pending');
  });

  test.each(['skipped', 'neutral'])('a check that was %s counts as passed', (conclusion) => {
    expect(derive(NO_STATUSES, check('success'), check(conclusion)).status).toBe('success');
  });

  test.each(['action_required', 'stale', 'something-new'])('a check that ended as %s is not decided', (conclusion) => {
    expect(derive(NO_STATUSES, check('success'), check(conclusion)).status).toBe('pending');
  });

  test('failure wins over pending', () => {
    expect(derive(statuses('pending'), check(null), check('failure')).status).toBe('failure');
  });
});

describe('mapCheckRun', () => {
  test('joins what the check says for itself', () => {
    const output = { summary: 'Two tests failed', text: 'a.test.ts' };
    expect(mapCheckRun({ ...check('failure'), output }).output).toBe('Two tests failed\n\na.test.ts');
    expect(mapCheckRun({ ...check('failure'), output: { summary: null, text: null } }).output).toBe('');
  });

  test('a check without a page of its own gets an empty address', () => {
    expect(mapCheckRun({ name: 'x', status: 'queued', conclusion: null }).detailsURL).toBe('');
  });
});

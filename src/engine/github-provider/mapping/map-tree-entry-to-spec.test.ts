import { describe, expect, test } from 'vitest';
import { mapTreeEntryToSpec, parseFrontmatterStatus } from './map-tree-entry-to-spec.ts';

describe('parseFrontmatterStatus', () => {
  test.each([
    ['plain', '---\nstatus: approved\n---\n# Spec\n'],
    ['with CRLF', '---\r\ntitle: x\r\nstatus: approved\r\n---\r\ntext'],
    ['with a byte order mark', '\uFEFF---\nstatus: approved\n---\n'],
    ['quoted', '---\nstatus: "approved"\n---\n'],
    ['with a comment behind it', "---\nstatus: 'approved' # since Monday\n---\n"],
    ['with other fields and nesting', '---\ntitle: A\ntags: [a, b]\nmeta:\n  status: draft\nstatus: approved\n---\n'],
    ['without anything after it', '---\nstatus: approved\n---'],
    ['with blanks behind the fences', '---  \nstatus: approved\n---\t\n'],
  ])('[GHP-56] reads the status from frontmatter %s', (_, content) => {
    expect(parseFrontmatterStatus(content)).toBe('approved');
  });

  test.each([
    ['no frontmatter', '# Spec\nstatus: approved\n'],
    ['an empty file', ''],
    ['frontmatter that never ends', '---\nstatus: approved\n'],
    ['broken YAML', '---\nstatus: [approved\n---\n'],
    ['a tab where YAML allows none', '---\nstatus:\n\t- approved\n---\n'],
    ['JavaScript', '---js\n{ status: "approved" }\n---\n'],
    ['a status that is no text', '---\nstatus: 1\n---\n'],
    ['an empty status', '---\nstatus:\n---\n'],
    ['a list', '---\n- status: approved\n---\n'],
    ['frontmatter further down', 'Intro\n---\nstatus: approved\n---\n'],
    ['the same key twice', '---\nstatus: approved\nstatus: draft\n---\n'],
    ['an alias bomb', `---\na: &a [x]\nb: &b [*a,*a]\n${'c: [*b,*b,*b]\n'.repeat(3)}status: *nope\n---\n`],
    ['binary', '\u0000\u0001---\nstatus: approved\n---\n'],
  ])('[GHP-57] %s is a draft', (_, content) => {
    expect(parseFrontmatterStatus(content)).toBe('draft');
  });

  test('reading malformed text twice gives the same answer', () => {
    const content = '---\nstatus: [approved\n---\n';
    expect([parseFrontmatterStatus(content), parseFrontmatterStatus(content)]).toEqual(['draft', 'draft']);
  });
});

describe('mapTreeEntryToSpec', () => {
  const entry = { path: 'decree/workflow.md', mode: '100644', type: 'blob', sha: 'c'.repeat(40) };

  test('[GHP-59] the path is the one in the repository', () => {
    expect(mapTreeEntryToSpec(entry, 'docs/specs', '')).toEqual({
      filePath: 'docs/specs/decree/workflow.md',
      blobSHA: 'c'.repeat(40),
      frontmatterStatus: 'draft',
    });
    expect(mapTreeEntryToSpec(entry, '', '').filePath).toBe('decree/workflow.md');
  });
});

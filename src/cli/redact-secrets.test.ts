import { expect, test } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

test.each([
  ['a token of an installation', 'got ghs_abcdefghij0123456789', 'got [redacted]'],
  ['a personal token', 'github_pat_11ABCDEFG0abcdefghij', '[redacted]'],
  ['a key of the model', '{"key":"sk-ant-api03-abc_def-ghi"}', '{"key":"[redacted]"}'],
  ['a header', '"authorization":"Bearer abcdef123456"', '"authorization":"Bearer [redacted]"'],
  ['a signed token', 'eyJhbGciOiJSUzI1NiJ9.eyJpYXQiOjF9.c2lnbmF0dXJl', '[redacted]'],
  ['the password of a URL', 'http://human:s3cret@127.0.0.1:5/x', 'http://human:[redacted]@127.0.0.1:5/x'],
  ['a token in a URL', 'https://0123456789abcdef@host/x', 'https://[redacted]@host/x'],
  ['a variable', 'ANTHROPIC_API_KEY=abc123 HOME=/home/me', 'ANTHROPIC_API_KEY=[redacted] HOME=/home/me'],
  [
    'a variable in JSON',
    '{"CLAUDE_CODE_OAUTH_TOKEN":"abc123","a":1}',
    '{"CLAUDE_CODE_OAUTH_TOKEN":"[redacted]","a":1}',
  ],
  ['a parameter', '/x?access_token=abc123&y=1', '/x?access_token=[redacted]&y=1'],
  ['a key of a cloud', 'AKIAIOSFODNN7EXAMPLE', '[redacted]'],
  ['a private key', 'a -----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY----- b', 'a [redacted] b'],
  ['half a private key', '-----BEGIN PRIVATE KEY-----\nMIIE', '[redacted]'],
])('%s is taken out', (_, text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted);
});

test('ordinary text stays', () => {
  const text =
    'The token of the basic plan: see https://example.com:8080/a@b and ghost_town, npm_config_registry, 12 TOKENS, inputTokens: 1234567.';
  expect(redactSecrets(text)).toBe(text);
});

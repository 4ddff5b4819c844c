const MAX_CHARS = 16 * 1024 * 1024;

/** Texts of blobs by SHA, which never change. The oldest go first once all together are over 16 Mi characters. */
export interface BlobCache {
  get(sha: string): Promise<string>;
}

export function createBlobCache(read: (sha: string) => Promise<string>): BlobCache {
  const texts = new Map<string, string>();
  let chars = 0;

  return {
    async get(sha) {
      const known = texts.get(sha);
      if (known !== undefined) return known;
      const text = await read(sha);
      if (!texts.has(sha)) chars += text.length;
      texts.set(sha, text);
      for (const [oldest, { length }] of texts) {
        if (chars <= MAX_CHARS) break;
        texts.delete(oldest);
        chars -= length;
      }
      return text;
    },
  };
}

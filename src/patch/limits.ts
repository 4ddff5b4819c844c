/** What GitHub accepts as one file. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

/** All files of one patch together: far above real work, and below what would exhaust memory. */
export const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

/** Longer names cannot be checked out on common systems. */
export const MAX_PATH_BYTES = 4096;

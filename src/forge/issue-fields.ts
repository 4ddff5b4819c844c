import { z } from 'zod';

/** The limits are GitHub's. */
export const titleText = z
  .string()
  .max(256, 'title is too long (maximum is 256 characters)')
  .refine((title) => title.trim() !== '', 'title cannot be blank');

export const bodyText = z.string().max(65_536, 'body is too long (maximum is 65536 characters)');

export const labelName = z.string().trim().min(1).max(50, 'name is too long (maximum is 50 characters)');

export const labelNames = z.array(labelName);

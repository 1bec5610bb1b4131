/** @returns whether the error says that a row with this unique value exists */
export const isDuplicate = (error: unknown, index: string): boolean => {
  // A driver's error; what is not one has neither field.
  const { code, constraint } = error as { code?: string, constraint?: string }
  return code === '23505' && constraint === index
}

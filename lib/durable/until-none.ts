/**
 * Repeats what takes some rows at a time until it finds none: a workspace that leaves much behind does not keep what
 * others leave until another day.
 */
export const untilNone = async (take: () => Promise<number>): Promise<void> => {
  while (await take() > 0);
}

/** Whether a text matches a pattern in which `*` stands for any run of characters. */
export function globMatches (pattern: string, text: string): boolean {
  const source = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')).join('.*')
  return new RegExp(`^${source}$`, 's').test(text)
}

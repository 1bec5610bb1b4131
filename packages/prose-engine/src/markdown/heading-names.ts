/** @returns an anchor for each heading, as github-slugger makes them: a second heading of the same text gets -1 */
export const headingNames = (headings: readonly string[]): string[] => {
  const seen = new Map<string, number>()
  return headings.map((heading) => {
    const plain = heading.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
    let name = plain
    while (seen.has(name)) {
      const count = (seen.get(plain) ?? 0) + 1
      seen.set(plain, count)
      name = `${plain}-${count}`
    }
    seen.set(name, 0)
    return name
  })
}

/** @returns the decoded fragment; a badly encoded one stays as it is */
export const decodeFragment = (fragment: string): string => {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

import type { RE2JS } from 're2js'

export interface Match { start: number, end: number }

const maxMatches = 200

/** @returns where an expression matches, without empty matches */
export const matchesIn = (pattern: RE2JS | undefined, text: string, most = maxMatches): Match[] => {
  const found: Match[] = []
  if (!pattern) return found
  const matcher = pattern.matcher(text)
  while (found.length < most && matcher.find()) {
    if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() })
  }
  return found
}

export interface GroupMatch extends Match { group: number, text: string }

/** @returns the groups of an expression that take part in each match; the first group is 0 */
export const groupsIn = (pattern: RE2JS | undefined, text: string): GroupMatch[] => {
  const found: GroupMatch[] = []
  if (!pattern) return found
  const matcher = pattern.matcher(text)
  while (found.length < maxMatches && matcher.find()) {
    for (let group = 1; group <= matcher.groupCount(); group++) {
      const [start, end] = [matcher.start(group), matcher.end(group)]
      if (start >= 0 && end > start) found.push({ start, end, group: group - 1, text: text.slice(start, end) })
    }
  }
  return found
}

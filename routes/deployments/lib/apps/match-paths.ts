/** What stands for several characters: `*` for those of a name, `**` for those of folders too. */
type Token = { literal: string } | { any: 'name' | 'path' }

interface Glob { tokens: Token[], isFolder: boolean }

const tokenPattern = /\*\*\/?|\*|[^*]/gsu

const parseGlob = (glob: string): Glob => {
  const tokens = (glob.match(tokenPattern) ?? []).map((text): Token =>
    text === '*' ? { any: 'name' } : text.startsWith('*') ? { any: 'path' } : { literal: text })
  return { tokens, isFolder: glob.endsWith('/') }
}

/** Adds a state and those that follow it without a character: a wildcard may stand for none. */
const enter = (tokens: Token[], state: number, states: Set<number>): void => {
  for (let at = state; !states.has(at); at++) {
    states.add(at)
    const token = tokens[at]
    if (token === undefined || 'literal' in token) return
  }
}

const step = (tokens: Token[], states: Set<number>, char: string): Set<number> => {
  const next = new Set<number>()
  for (const state of states) {
    const token = tokens[state]
    if (token === undefined) continue
    if ('literal' in token) {
      if (token.literal === char) enter(tokens, state + 1, next)
    } else if (token.any === 'path' || char !== '/') enter(tokens, state, next)
  }
  return next
}

/** Counts states that were looked at, over all files and globs. */
interface Budget { left: number }

/** Follows all states of the glob at once, so that no character is read twice. */
const matches = ({ tokens, isFolder }: Glob, file: string, budget: Budget): boolean => {
  let states = new Set<number>()
  enter(tokens, 0, states)
  for (const char of file) {
    // Below what the glob names, or in a folder that it names by its slash.
    if (states.has(tokens.length) && (isFolder || char === '/')) return true
    budget.left -= states.size
    states = step(tokens, states, char)
    if (states.size === 0) return false
  }
  return states.has(tokens.length)
}

/** About 0.2 s; a push of a thousand files and an app of ten paths take a fiftieth of it. */
const maxSteps = 5_000_000

/**
 * @param paths globs as `auto_deploy.paths` has them
 * @param files null = not known
 * @returns whether one of the files is one of the paths, or lies in it; true too where that is not known, or takes too
 *   long to find out: a build that was not needed does less harm than one that is missing
 */
export const touches = (paths: string[], files: string[] | null, limit = maxSteps): boolean => {
  if (paths.length === 0 || files === null) return true
  const globs = paths.map(parseGlob)
  const budget: Budget = { left: limit }
  return files.some((file) => globs.some((glob) => budget.left < 0 || matches(glob, file, budget)))
}

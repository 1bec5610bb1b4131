import { invalid } from '../core/errors.js'
import { isRecord } from '../ecs/containers.js'

export type Matcher = (message: string) => boolean

/** A filter pattern of CloudWatch Logs: terms, "phrases", ?any, -not, %regex%, { $.field = "value" }. */
export function parsePattern (pattern: string | undefined): Matcher {
  const text = pattern?.trim() ?? ''
  if (text === '' || text === '""') return () => true
  if (text.startsWith('{')) return parseJsonPattern(text)
  if (text.startsWith('[')) throw invalid('Invalid filter pattern: the sandbox does not know the [a, b] form')
  return parseTerms(text)
}

function parseTerms (text: string): Matcher {
  const terms = text.match(/[?-]?("(?:[^"\\]|\\.)*"|%[^%]+%|[^\s"]+)/g) ?? []
  const isWhole = withoutSpace(terms.join('')) === withoutSpace(text)
  if (!isWhole) throw invalid('Invalid filter pattern')
  const of = (mark: string) => terms.filter((term) => term.startsWith(mark)).map((term) => termMatcher(term.slice(1)))
  const any = of('?')
  const none = of('-')
  const all = terms.filter((term) => !/^[?-]/.test(term)).map(termMatcher)
  return (message) =>
    all.every((matches) => matches(message)) &&
    !none.some((matches) => matches(message)) &&
    (any.length === 0 || any.some((matches) => matches(message)))
}

function withoutSpace (text: string): string {
  return text.replace(/\s/g, '')
}

function termMatcher (term: string): Matcher {
  if (term.startsWith('%') && term.endsWith('%')) {
    const regex = compile(term.slice(1, -1))
    return (message) => regex.test(message)
  }
  const wanted = term.startsWith('"') ? term.slice(1, -1).replace(/\\(.)/g, '$1') : term
  return (message) => message.includes(wanted)
}

function parseJsonPattern (text: string): Matcher {
  const alternatives = text
    .slice(1, text.lastIndexOf('}'))
    .split('||')
    .map((part) => part.split('&&').map(comparison))
  return (message) => {
    const value = parse(message)
    return alternatives.some((group) => group.every((matches) => matches(value)))
  }
}

const COMPARISON = /^\s*\(?\s*\$\.([\w.-]+)\s*(=|!=|>=|<=|>|<)\s*("[^"]*"|%[^%]+%|[\w.*-]+)\s*\)?\s*$/

function comparison (text: string): (value: unknown) => boolean {
  const match = COMPARISON.exec(text)
  if (!match) throw invalid('Invalid filter pattern')
  const [, path = '', operator = '', literal = ''] = match
  return (value) => compare(valueAt(value, path), operator, literal)
}

function compare (found: unknown, operator: string, literal: string): boolean {
  const text = literal.replace(/^"|"$/g, '')
  switch (operator) {
    case '=':
      return found !== undefined && equals(String(found), text)
    case '!=':
      return found !== undefined && !equals(String(found), text)
    case '>':
      return Number(found) > Number(text)
    case '<':
      return Number(found) < Number(text)
    case '>=':
      return Number(found) >= Number(text)
    default:
      return Number(found) <= Number(text)
  }
}

function equals (found: string, wanted: string): boolean {
  if (wanted.startsWith('%') && wanted.endsWith('%')) return compile(wanted.slice(1, -1)).test(found)
  if (!wanted.includes('*')) return found === wanted
  return compile(
    `^${wanted
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`
  ).test(found)
}

function valueAt (value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value)
}

function parse (message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}

function compile (source: string): RegExp {
  try {
    return new RegExp(source)
  } catch {
    throw invalid('Invalid filter pattern')
  }
}

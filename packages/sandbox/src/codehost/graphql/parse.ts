/** A field, or the fields of one type, of a query. */
export type Selection =
  { field: string, as: string, args: Record<string, Value>, below: Selection[] } |
  { on: string | null, below: Selection[] } |
  { spread: string }

export type Value = { variable: string } | { value: unknown }

export interface Document { selections: Selection[], fragments: Map<string, { on: string, below: Selection[] }> }

const token = /\.\.\.|[A-Za-z_]\w*|-?\d+|"(?:[^"\\]|\\.)*"|[{}()[\]:!=$,]/g

/** The part of GraphQL's language that clients of the code host use: queries with variables and fragments. */
export function parse (text: string): Document {
  const tokens = text.replace(/#.*/g, '').match(token) ?? []
  let at = 0
  const next = (): string => tokens[at++] ?? ''
  const skip = (expected: string): boolean => tokens[at] === expected && ++at > 0
  const demand = (expected: string): void => {
    if (!skip(expected)) throw new SyntaxError(`Expected ${expected}, actual: ${tokens[at] ?? 'end of document'}`)
  }
  const skipVariables = (): void => {
    if (!skip('(')) return
    while (at < tokens.length && next() !== ')');
  }
  const value = (): Value => {
    if (skip('$')) return { variable: next() }
    const word = next()
    if (word === 'true' || word === 'false' || word === 'null' || /^["\-\d]/.test(word)) {
      return { value: JSON.parse(word) as unknown }
    }
    return { value: word }
  }
  const args = (): Record<string, Value> => {
    const found: Record<string, Value> = {}
    if (!skip('(')) return found
    while (!skip(')')) {
      const name = next()
      demand(':')
      found[name] = value()
      skip(',')
      if (at >= tokens.length) throw new SyntaxError('Expected ), actual: end of document')
    }
    return found
  }
  const field = (): Selection => {
    const first = next()
    const name = skip(':') ? next() : first
    return { as: first, field: name, args: args(), below: tokens[at] === '{' ? selections() : [] }
  }
  const selection = (): Selection => {
    if (!skip('...')) return field()
    if (skip('on')) return { on: next(), below: selections() }
    return tokens[at] === '{' ? { on: null, below: selections() } : { spread: next() }
  }
  const selections = (): Selection[] => {
    demand('{')
    const found: Selection[] = []
    while (!skip('}')) {
      if (at >= tokens.length) throw new SyntaxError('Expected }, actual: end of document')
      found.push(selection())
    }
    return found
  }
  const document: Document = { selections: [], fragments: new Map() }
  while (at < tokens.length) {
    if (skip('fragment')) {
      const name = next()
      demand('on')
      document.fragments.set(name, { on: next(), below: selections() })
      continue
    }
    if (tokens[at] !== '{') {
      demand('query')
      if (tokens[at] !== '(' && tokens[at] !== '{') next()
      skipVariables()
    }
    document.selections = selections()
  }
  return document
}

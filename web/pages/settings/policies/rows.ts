/*
 * Policies as rows: when, and then what. A row is written as Cedar, and a policy of Cedar is read as a row where a row can
 * say all of it; any other stays text, unchanged. Nothing is imported here, so that tests load the module as it is.
 */

/** How large a change has to be: what it costs, or an argument of the tool. */
export type Size =
  | { kind: 'cost', more_than: number }
  | { kind: 'argument', name: string, is: 'more_than' | 'at_most', value: number }

export type Applies =
  | { kind: 'all' }
  | { kind: 'area', area: string }
  | { kind: 'tools', tools: string[] }

export interface When {
  applies: Applies
  /** '': in any */
  environment: string
  /** The least risk; '': any */
  risk: '' | 'medium' | 'high'
  size: Size | null
}

export interface Asks {
  outcome: 'ask'
  approvals: number
  /** Of which groups the people are; none: whoever may approve it */
  groups: string[]
  not_requester: boolean
  signed: boolean
  /** Who may approve it as well after a time such as 30m */
  escalate: { groups: string[], after: string } | null
}

export type Then =
  | Asks
  | { outcome: 'run', foreign_text: boolean }
  | { outcome: 'forbid', reason: string }

export interface Row {
  /** The name by which a decision shows it */
  id: string
  /** The comment above it */
  note: string
  when: When
  then: Then
}

export type Segment = { kind: 'row', row: Row } | { kind: 'text', text: string }

// Writing

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' }

const quote = (text: string): string => `"${text.replaceAll(/[\\"\n\r\t\0]/g, (one) => escapes[one] ?? one)}"`

const annotate = (name: string, value: string): string => `@${name}(${quote(value)})`

const writeScope = (applies: Applies): string => {
  if (applies.kind === 'all') return 'action in Action::"write"'
  if (applies.kind === 'area') return `action in Action::${quote(applies.area)}`
  const [first = '', ...others] = applies.tools
  if (others.length === 0) return `action == Action::${quote(first)}`
  return `action in [${applies.tools.map((tool) => `Action::${quote(tool)}`).join(', ')}]`
}

/** A decimal of Cedar has one to four digits behind the point. */
const decimal = (value: number): string => value.toFixed(4).replace(/0{1,3}$/, '')

const writeSize = (size: Size): string => {
  if (size.kind === 'cost') return `context has cost && context.cost.greaterThan(decimal("${decimal(size.more_than)}"))`
  const sign = size.is === 'more_than' ? '>' : '<='
  return `context.args has ${size.name} && context.args.${size.name} ${sign} ${size.value}`
}

const writeConditions = ({ environment, risk, size }: When): string[] => [
  ...environment === '' ? [] : [`resource has environment && resource.environment == ${quote(environment)}`],
  ...risk === 'high' ? ['context.risk == "high"'] : [],
  ...risk === 'medium' ? ['["medium", "high"].contains(context.risk)'] : [],
  ...size === null ? [] : [writeSize(size)]
]

const list = (groups: readonly string[]): string => groups.join(', ')

const writeThen = (then: Then): string[] => {
  switch (then.outcome) {
    case 'forbid': return then.reason === '' ? [] : [annotate('reason', then.reason)]
    case 'run': return [annotate('outcome', 'run'), ...then.foreign_text ? [annotate('allow_tainted', 'true')] : []]
    case 'ask': return [
      annotate('outcome', 'approve'),
      ...then.approvals === 1 ? [] : [annotate('approvals', String(then.approvals))],
      ...then.groups.length === 0 ? [] : [annotate('from', list(then.groups))],
      ...then.not_requester ? [annotate('exclude_requester', 'true')] : [],
      ...then.signed ? [annotate('signed', 'true')] : [],
      ...then.escalate === null
        ? []
        : [annotate('escalate_to', list(then.escalate.groups)), annotate('escalate_after', then.escalate.after)]
    ]
  }
}

/** @returns the row as a policy of Cedar */
export const writeRow = ({ id, note, when, then }: Row): string => {
  const conditions = writeConditions(when)
  const annotations = writeThen(then)
  const effect = then.outcome === 'forbid' ? 'forbid' : 'permit'
  return [
    ...note === '' ? [] : note.split('\n').map((line) => `// ${line}`.trimEnd()),
    ...id === '' ? [] : [annotate('id', id)],
    ...annotations.length === 0 ? [] : [annotations.join(' ')],
    `${effect} (principal, ${writeScope(when.applies)}, resource)${conditions.length === 0 ? ';' : ''}`,
    ...conditions.length === 0 ? [] : [`when { ${conditions.join(' && ')} };`]
  ].join('\n')
}

/** @returns the text of a set of policies */
export const writePolicies = (segments: readonly Segment[]): string => segments.length === 0
  ? ''
  : `${segments.map((one) => one.kind === 'row' ? writeRow(one.row) : one.text).join('\n\n')}\n`

// Reading

interface Token { kind: 'word' | 'text' | 'number' | 'sign', text: string, at: number, end: number }

interface Comment { text: string, at: number, end: number }

const forms = /(?<space>\s+)|(?<comment>\/\/[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*")|(?<word>[A-Za-z_]\w*)|(?<number>\d+)|(?<sign>::|==|!=|<=|>=|&&|\|\||[^\s\w"])/y

/** @returns the tokens and comments; undefined where the text is no Cedar */
const tokenize = (source: string): { tokens: Token[], comments: Comment[] } | undefined => {
  const tokens: Token[] = []
  const comments: Comment[] = []
  forms.lastIndex = 0
  while (forms.lastIndex < source.length) {
    const at = forms.lastIndex
    const groups = forms.exec(source)?.groups
    if (!groups) return undefined
    const end = forms.lastIndex
    const text = source.slice(at, end)
    if (groups.comment !== undefined) comments.push({ text, at, end })
    else if (groups.text !== undefined) tokens.push({ kind: 'text', text, at, end })
    else if (groups.word !== undefined) tokens.push({ kind: 'word', text, at, end })
    else if (groups.number !== undefined) tokens.push({ kind: 'number', text, at, end })
    else if (groups.sign !== undefined) tokens.push({ kind: 'sign', text, at, end })
    forms.lastIndex = end
  }
  return { tokens, comments }
}

const unescapes: Record<string, string> = {
  'n': '\n', 'r': '\r', 't': '\t', '0': '\0', '\\': '\\', '"': '"', '\'': '\''
}

/** What a row cannot say. */
class Unreadable extends Error {}

const unquote = (token: string): string => token.slice(1, -1).replaceAll(/\\(.)/gs, (_, one: string) => {
  const meant = unescapes[one]
  if (meant === undefined) throw new Unreadable()
  return meant
})

/** Takes one token after another; throws where another one is needed. */
class Reader {
  #next = 0

  constructor (private readonly tokens: readonly Token[]) {}

  get isDone (): boolean { return this.#next >= this.tokens.length }

  /** @returns whether these tokens came next, which are taken then */
  takes (...texts: string[]): boolean {
    const fits = texts.every((text, index) => {
      const token = this.tokens[this.#next + index]
      return token?.text === text && token.kind !== 'text'
    })
    if (fits) this.#next += texts.length
    return fits
  }

  need (...texts: string[]): void {
    if (!this.takes(...texts)) throw new Unreadable()
  }

  #take (kind: Token['kind']): string {
    const token = this.tokens[this.#next]
    if (token?.kind !== kind) throw new Unreadable()
    this.#next++
    return token.text
  }

  word (): string { return this.#take('word') }
  number (): number {
    const value = Number(this.#take('number'))
    if (!Number.isSafeInteger(value)) throw new Unreadable()
    return value
  }

  text (): string { return unquote(this.#take('text')) }
}

const readAction = (reader: Reader): string => {
  reader.need('Action', '::')
  return reader.text()
}

const isArea = (name: string): boolean => name !== 'write' && name !== 'additive'

const readScope = (reader: Reader): Applies => {
  reader.need('action')
  if (reader.takes('==')) return { kind: 'tools', tools: [readAction(reader)] }
  reader.need('in')
  if (!reader.takes('[')) {
    const name = readAction(reader)
    if (name === 'write') return { kind: 'all' }
    if (!isArea(name)) throw new Unreadable()
    return { kind: 'area', area: name }
  }
  const tools = [readAction(reader)]
  while (reader.takes(',')) tools.push(readAction(reader))
  reader.need(']')
  // One in a list is written without it.
  if (tools.length === 1) throw new Unreadable()
  return { kind: 'tools', tools }
}

const readDecimal = (text: string): number => {
  if (!/^\d{1,9}\.\d{1,4}$/.test(text)) throw new Unreadable()
  return Number(text)
}

type Conditions = Pick<When, 'environment' | 'risk' | 'size'>

/** One condition, as a row writes it; a second of its kind is more than a row can say. */
const readCondition = (reader: Reader, found: Conditions): void => {
  if (reader.takes('resource', 'has', 'environment', '&&', 'resource', '.', 'environment', '==') && found.environment === '') {
    found.environment = reader.text()
    if (found.environment === '') throw new Unreadable()
  } else if (reader.takes('context', '.', 'risk', '==') && found.risk === '') {
    if (reader.text() !== 'high') throw new Unreadable()
    found.risk = 'high'
  } else if (reader.takes('[') && found.risk === '') {
    if (reader.text() !== 'medium') throw new Unreadable()
    reader.need(',')
    if (reader.text() !== 'high') throw new Unreadable()
    reader.need(']', '.', 'contains', '(', 'context', '.', 'risk', ')')
    found.risk = 'medium'
  } else if (reader.takes('context', 'has', 'cost', '&&', 'context', '.', 'cost', '.', 'greaterThan', '(', 'decimal', '(') &&
    found.size === null) {
    found.size = { kind: 'cost', more_than: readDecimal(reader.text()) }
    reader.need(')', ')')
  } else if (reader.takes('context', '.', 'args', 'has') && found.size === null) {
    const name = reader.word()
    reader.need('&&', 'context', '.', 'args', '.', name)
    const is = reader.takes('>') ? 'more_than' : 'at_most'
    if (is === 'at_most') reader.need('<=')
    found.size = { kind: 'argument', name, is, value: reader.number() }
  } else throw new Unreadable()
}

/** All of them must hold, so that parentheses among them mean nothing. */
const readAll = (reader: Reader, found: Conditions): void => {
  do {
    if (reader.takes('(')) {
      readAll(reader, found)
      reader.need(')')
    } else readCondition(reader, found)
  } while (reader.takes('&&'))
}

const readConditions = (reader: Reader): Conditions => {
  const found: Conditions = { environment: '', risk: '', size: null }
  if (!reader.takes('when')) return found
  reader.need('{')
  readAll(reader, found)
  reader.need('}')
  return found
}

type Annotations = Map<string, string>

const readAnnotations = (reader: Reader): Annotations => {
  const found: Annotations = new Map()
  while (reader.takes('@')) {
    const name = reader.word()
    reader.need('(')
    if (found.has(name)) throw new Unreadable()
    found.set(name, reader.text())
    reader.need(')')
  }
  return found
}

/** Takes what a row says; what is left is more than it can say. */
const taken = (annotations: Annotations, name: string): string | undefined => {
  const value = annotations.get(name)
  annotations.delete(name)
  return value
}

const takenFlag = (annotations: Annotations, name: string): boolean => {
  const value = taken(annotations, name)
  if (value !== undefined && value !== 'true') throw new Unreadable()
  return value === 'true'
}

const takenGroups = (annotations: Annotations, name: string): string[] => {
  const value = taken(annotations, name)
  if (value === undefined) return []
  const groups = value.split(',').map((group) => group.trim())
  if (groups.includes('')) throw new Unreadable()
  return groups
}

const readAsks = (annotations: Annotations): Asks => {
  const approvals = taken(annotations, 'approvals') ?? '1'
  if (!/^(?:[1-9]|10)$/.test(approvals)) throw new Unreadable()
  const groups = takenGroups(annotations, 'from')
  const [to, after] = [takenGroups(annotations, 'escalate_to'), taken(annotations, 'escalate_after')]
  if ((to.length === 0) !== (after === undefined) || after === '') throw new Unreadable()
  return {
    outcome: 'ask',
    approvals: Number(approvals),
    groups,
    not_requester: takenFlag(annotations, 'exclude_requester'),
    signed: takenFlag(annotations, 'signed'),
    escalate: after === undefined ? null : { groups: to, after }
  }
}

const readThen = (effect: string, annotations: Annotations): Then => {
  if (effect === 'forbid') return { outcome: 'forbid', reason: taken(annotations, 'reason') ?? '' }
  if (effect !== 'permit') throw new Unreadable()
  const outcome = taken(annotations, 'outcome')
  if (outcome === 'run') return { outcome, foreign_text: takenFlag(annotations, 'allow_tainted') }
  if (outcome === 'approve') return readAsks(annotations)
  throw new Unreadable()
}

/** @returns a policy as a row; undefined where a row cannot say all of it */
const readRow = (tokens: readonly Token[], note: string): Row | undefined => {
  const reader = new Reader(tokens)
  try {
    const annotations = readAnnotations(reader)
    const id = taken(annotations, 'id') ?? ''
    const effect = reader.word()
    reader.need('(', 'principal', ',')
    const applies = readScope(reader)
    reader.need(',', 'resource', ')')
    const conditions = readConditions(reader)
    reader.need(';')
    const then = readThen(effect, annotations)
    if (!reader.isDone || annotations.size > 0) return undefined
    return { id, note, when: { applies, ...conditions }, then }
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

const isComment = (line: string): boolean => /^\s*\/\//.test(line)

/** @returns what stands before a policy: a note right above it, and whatever else there is */
const splitLead = (lead: string): { other: string, note: string } => {
  const lines = lead.split('\n')
  // The last line is the beginning of the policy's own.
  lines.pop()
  let from = lines.length
  // The first line still is the line of the policy before.
  while (from > 1 && isComment(lines[from - 1] ?? '')) from--
  const note = lines.slice(from).map((line) => line.trim().replace(/^\/\/ ?/, '')).join('\n')
  return { other: lines.slice(0, from).join('\n').trim(), note }
}

/** @returns the policies of a text in their order, as rows where rows can say them, and all else as it stands */
export const readPolicies = (source: string): Segment[] => {
  // As if there were a policy before the first.
  const text = `\n${source}`
  const found = tokenize(text)
  if (!found) return source.trim() === '' ? [] : [{ kind: 'text', text: source.trim() }]
  const segments: Segment[] = []
  const addText = (part: string) => { if (part.trim() !== '') segments.push({ kind: 'text', text: part.trim() }) }
  let begin = 0
  let policy: Token[] = []
  for (const token of found.tokens) {
    policy.push(token)
    if (token.text !== ';' || token.kind !== 'sign') continue
    const start = policy[0]?.at ?? begin
    const { other, note } = splitLead(text.slice(begin, start))
    const isCommented = found.comments.some(({ at }) => at > start && at < token.end)
    const row = isCommented ? undefined : readRow(policy, note)
    if (row) {
      addText(other)
      segments.push({ kind: 'row', row })
    } else addText(text.slice(begin, token.end))
    begin = token.end
    policy = []
  }
  addText(text.slice(begin))
  return segments
}

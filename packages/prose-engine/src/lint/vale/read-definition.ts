import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml'
import type { ValeRule } from '../../schemas/styles.js'

/** Why a file is no rule. `line` counts from 1; 0 = the file as a whole. */
export interface Broken { file: string, line: number, message: string }

interface Definition { extends: string, rule: ValeRule, refused: string | undefined }

/** A file of rules has hardly any alias; what expands beyond this is an attack. */
const maxAliases = 100

const levels: Record<string, ValeRule['level']> = { error: 'error', warning: 'warn', suggestion: 'suggestion' }

/** What Vale knows as the kinds of its rules. */
const extensions = ['existence', 'substitution', 'occurrence', 'repetition', 'consistency', 'conditional',
  'capitalization', 'metric', 'script', 'sequence', 'spelling', 'readability']

/** Of a kind, the keys without which it is none. */
const needed: Record<string, string[][]> = {
  existence: [['tokens', 'raw']],
  substitution: [['swap']],
  occurrence: [['token'], ['max', 'min']],
  repetition: [['tokens']],
  consistency: [['either']],
  conditional: [['first'], ['second']],
  capitalization: [['match']],
  metric: [['formula'], ['condition']]
}

/** Reads the values of a definition, and notes what is of another type than it must be, with its line. */
class Fields {
  readonly broken: Broken[] = []
  readonly #lines: LineCounter
  readonly #doc: Document

  constructor (readonly file: string, doc: Document, lines: LineCounter) {
    this.#doc = doc
    this.#lines = lines
  }

  lineOf (key: string): number {
    if (!isMap(this.#doc.contents)) return 1
    const pair = this.#doc.contents.items.find((item) => isScalar(item.key) && item.key.value === key)
    const range = isScalar(pair?.key) ? pair.key.range : undefined
    return range ? this.#lines.linePos(range[0]).line : 1
  }

  fail (key: string, message: string): void {
    this.broken.push({ file: this.file, line: this.lineOf(key), message: `"${key}" ${message}` })
  }

  has (key: string): boolean {
    return this.#doc.has(key)
  }

  #value (key: string): unknown {
    const value: unknown = this.#doc.get(key)
    return value !== null && typeof value === 'object' && 'toJSON' in value ? this.#json(key) : value
  }

  #json (key: string): unknown {
    // The document is a mapping: readDefinition has refused any other.
    return (this.#doc.toJS({ maxAliasCount: maxAliases }) as Record<string, unknown>)[key]
  }

  text (key: string, fallback = ''): string {
    const value = this.#value(key)
    if (value === undefined || value === null) return fallback
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    this.fail(key, 'must be a text')
    return fallback
  }

  flag (key: string): boolean {
    const value = this.#value(key)
    if (value === undefined || value === null) return false
    if (typeof value !== 'boolean') this.fail(key, 'must be true or false')
    return value === true
  }

  number (key: string): number {
    const value = this.#value(key)
    if (value === undefined || value === null) return 0
    if (typeof value === 'number') return value
    this.fail(key, 'must be a number')
    return 0
  }

  list (key: string): string[] {
    const value = this.#value(key)
    if (value === undefined || value === null) return []
    if (typeof value === 'string') return [value]
    if (!Array.isArray(value)) {
      this.fail(key, 'must be a list of texts')
      return []
    }
    return value.filter((one) => one !== null).map(String)
  }

  pairs (key: string): [string, string][] {
    const value = this.#value(key)
    if (value === undefined || value === null) return []
    if (typeof value !== 'object') {
      this.fail(key, 'must be a mapping of texts')
      return []
    }
    // Vale has a mapping, or a list of mappings.
    const maps: unknown[] = Array.isArray(value) ? value : [value]
    return maps.flatMap((one) => Object.entries(one ?? {}).map(([from, to]): [string, string] => [from,
      String(to ?? '')]))
  }

  replaces (): boolean {
    const action = this.#value('action')
    return action !== null && typeof action === 'object' && 'name' in action && action.name === 'replace'
  }
}

const scopeOf = (fields: Fields): string[] => {
  const all = fields.list('scope')
  return all.length === 0 ? ['text'] : all
}

const levelOf = (fields: Fields): ValeRule['level'] => {
  const name = fields.text('level', 'suggestion')
  const level = levels[name]
  if (!level) fields.fail('level', 'must be suggestion, warning or error')
  return level ?? 'suggestion'
}

const ruleOf = (fields: Fields, name: string, kind: string): ValeRule => ({
  name,
  // readStyle refuses what is none of them.
  kind: kind as ValeRule['kind'],
  message: fields.text('message'),
  level: levelOf(fields),
  scope: scopeOf(fields),
  ignorecase: fields.flag('ignorecase'),
  nonword: fields.flag('nonword'),
  limit: fields.number('limit'),
  exceptions: fields.list('exceptions'),
  tokens: fields.list('tokens').filter((token) => token.trim() !== ''),
  raw: fields.list('raw'),
  append: fields.flag('append'),
  pairs: [...fields.pairs('swap'), ...fields.pairs('either')],
  replaces: fields.replaces(),
  capitalize: fields.flag('capitalize'),
  token: fields.text('token'),
  max: fields.number('max'),
  min: fields.number('min'),
  alpha: fields.flag('alpha'),
  first: fields.text('first'),
  second: fields.text('second'),
  match: fields.text('match'),
  threshold: fields.number('threshold') || 0.8,
  indicators: fields.list('indicators'),
  formula: fields.text('formula'),
  condition: fields.text('condition')
})

const requireKeys = (fields: Fields, kind: string): void => {
  for (const keys of needed[kind] ?? []) {
    if (!keys.some((key) => fields.has(key))) {
      fields.fail('extends',
      `is ${kind}, and there is no "${keys.join('" or "')}"`)
    }
  }
  if (kind in needed && !fields.has('message')) fields.fail('extends', `is ${kind}, and there is no "message"`)
}

const scopes = /^~?(?:text|summary|paragraph|sentence|heading(?:\.h[1-6])?|list|table(?:\.(?:header|cell))?)$/

const refusedScope = (scope: readonly string[]): string | undefined => {
  const unknown = scope.flatMap((one) => one.split('&')).map((one) => one.trim()).find((one) => !scopes.test(one))
  return unknown === undefined ? undefined : `the scope "${unknown}" is no prose that a brand report reads`
}

const aliasesOf = (doc: Document): string | undefined => {
  try {
    doc.toJS({ maxAliasCount: maxAliases })
    return undefined
  } catch {
    return 'names its own parts too often'
  }
}

/** @returns a rule as its YAML has it, or what is broken in it */
export const readDefinition = (file: string, name: string, content: string): Definition | { broken: Broken[] } => {
  const lines = new LineCounter()
  const doc = parseDocument(content, { lineCounter: lines, strict: true })
  if (doc.errors.length > 0) {
    return {
      broken: doc.errors.slice(0, 3).map(({ message, pos }) =>
        ({ file, line: lines.linePos(pos[0]).line, message: message.split(' at line ')[0] ?? '' }))
    }
  }
  if (!isMap(doc.contents)) {
    return {
      broken: [{
        file,
        line: 1,
        message: 'is no mapping: a rule has "extends", "message" …'
      }]
    }
  }
  const expanded = aliasesOf(doc)
  if (expanded !== undefined) return { broken: [{ file, line: 1, message: expanded }] }
  const fields = new Fields(file, doc, lines)
  const kind = fields.text('extends')
  if (!extensions.includes(kind)) fields.fail('extends', `must be one of ${extensions.join(', ')}`)
  requireKeys(fields, kind)
  const rule = ruleOf(fields, name, kind)
  if (fields.broken.length > 0) return { broken: fields.broken }
  return { extends: kind, rule, refused: refusedScope(rule.scope) }
}

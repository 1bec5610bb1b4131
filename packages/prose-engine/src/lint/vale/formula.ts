type Variables = Readonly<Record<string, number>>
type Node = (variables: Variables) => number

/** The counts of a text that a formula may name; Vale has headings and blocks beside them. */
export const variableNames = ['words', 'sentences', 'characters', 'paragraphs', 'syllables', 'long_words',
  'polysyllabic_words', 'complex_words', 'list', 'blockquote', 'pre', 'heading_h1', 'heading_h2', 'heading_h3',
  'heading_h4', 'heading_h5', 'heading_h6'] as const

const functions: Record<string, (value: number) => number> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  log: Math.log,
  log10: Math.log10
}

class NoFormula extends Error {}

const token = /\s*(?:(\d+(?:\.\d+)?)|(?:math\.)?([a-z_][a-z_0-9]*)|([-+*/()]))/y

/** Levels of brackets: far more than a formula has. */
const maxDepth = 50

/** A parser of sums, products, brackets and the functions of one number; nothing is evaluated as code. */
class Parser {
  #at = 0
  #depth = 0
  #next: RegExpExecArray | null = null

  constructor (private readonly text: string) { this.#advance() }

  #advance (): void {
    token.lastIndex = this.#at
    this.#next = token.exec(this.text)
    if (this.#next) this.#at = token.lastIndex
  }

  #take (sign: string): boolean {
    if (this.#next?.[3] !== sign) return false
    this.#advance()
    return true
  }

  whole (): Node {
    const node = this.#sum()
    if (this.#next ||
      this.text.slice(this.#at).trim() !== '') throw new NoFormula(`what is "${this.text.slice(this.#at - 1)}"`)
    return node
  }

  #sum (): Node {
    let left = this.#product()
    for (;;) {
      const one = left
      if (this.#take('+')) {
        const other = this.#product()
        left = (variables) => one(variables) + other(variables)
      } else if (this.#take('-')) {
        const other = this.#product()
        left = (variables) => one(variables) - other(variables)
      } else return left
    }
  }

  #product (): Node {
    let left = this.#factor()
    for (;;) {
      const one = left
      if (this.#take('*')) {
        const other = this.#factor()
        left = (variables) => one(variables) * other(variables)
      } else if (this.#take('/')) {
        const other = this.#factor()
        left = (variables) => one(variables) / other(variables)
      } else return left
    }
  }

  #bracket (): Node {
    if (++this.#depth > maxDepth) throw new NoFormula('it has too many brackets')
    if (!this.#take('(')) throw new NoFormula('a bracket is missing')
    const node = this.#sum()
    if (!this.#take(')')) throw new NoFormula('a bracket is not closed')
    this.#depth--
    return node
  }

  #factor (): Node {
    if (this.#take('-')) {
      if (++this.#depth > maxDepth) throw new NoFormula('it has too many signs')
      const node = this.#factor()
      this.#depth--
      return (variables) => -node(variables)
    }
    const [, digits, name, sign] = this.#next ?? []
    if (sign === '(') return this.#bracket()
    this.#advance()
    if (digits !== undefined) return () => Number(digits)
    const apply = name === undefined ? undefined : functions[name]
    if (apply) {
      const inner = this.#bracket()
      return (variables) => apply(inner(variables))
    }
    if (name === undefined || !(variableNames as readonly string[]).includes(name)) {
      throw new NoFormula(name === undefined ? 'something is missing' : `it names "${name}", which is not counted here`)
    }
    return (variables) => variables[name] ?? 0
  }
}

const comparisons: Record<string, (one: number, other: number) => boolean> = {
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other
}

/** @returns what measures a text by a metric rule, or why its formula cannot be read */
export const parseFormula = (formula: string, condition: string):
((variables: Variables) => { value: number, isBroken: boolean }) | string => {
  const [, sign = '', limit = ''] = /^\s*([<>]=?|[=!]=)\s*(-?\d+(?:\.\d+)?)\s*$/.exec(condition) ?? []
  const compare = comparisons[sign]
  if (!compare) return 'the condition is no comparison with a number'
  try {
    const value = new Parser(formula.replace(/heading\.(h[1-6])/g, 'heading_$1')).whole()
    return (variables) => {
      const result = value(variables)
      return { value: result, isBroken: Number.isFinite(result) && compare(result, Number(limit)) }
    }
  } catch (error) {
    if (error instanceof NoFormula) return `the formula cannot be read: ${error.message}`
    throw error
  }
}

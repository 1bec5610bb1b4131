import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp'

/** A text that may make an expression slow: the middle is repeated. */
export interface Pump { before: string, middle: string, after: string }

type Atom = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass

const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at))
const alphabet = [...'a0 -_.,:/"\'', '\n', '\t', ...ascii, ...'éßª“”«»–—…’\u0085\u00a0\u2028\ufffdあ😀ÀǅΣ€', '\0', '\r']

const isAtom = (node: AST.Node): node is Atom => node.type === 'Character' || node.type === 'CharacterSet' ||
  node.type === 'CharacterClass' || node.type === 'ExpressionCharacterClass'

/** How many ways of choosing a character of a class are tried. */
const variants = 3

/** Texts that match the parts of an expression, and characters of which no two are the same to it. */
class Sampler {
  readonly #known = new Map<string, string[]>()

  constructor (readonly flags: string) {}

  charsOf (atom: Atom): string[] {
    const known = this.#known.get(atom.raw)
    if (known) return known
    const chars = atom.type === 'Character' ? this.#spellings(atom.value) : this.#members(atom)
    this.#known.set(atom.raw, chars)
    return chars
  }

  #spellings (value: number): string[] {
    const char = String.fromCodePoint(value)
    return this.flags.includes('i') ? [...new Set([char, char.toLowerCase(), char.toUpperCase()])] : [char]
  }

  #members ({ raw }: Atom): string[] {
    const own = new RegExp(`^(?:${raw})$`, this.flags.replace(/[gy]/g, ''))
    return alphabet.filter((char) => own.test(char))
  }

  /** @returns a text that the node matches, where it may be chosen with what it may have */
  textOf (node: AST.Node, variant: number): string {
    if (isAtom(node)) {
      const chars = this.charsOf(node)
      return chars[variant % Math.max(1, chars.length)] ?? ''
    }
    switch (node.type) {
      case 'Pattern': case 'Group': case 'CapturingGroup': {
        const { alternatives } = node
        return this.textOf(alternatives[variant % alternatives.length] as AST.Alternative, variant)
      }
      case 'Alternative': return node.elements.map((element) => this.textOf(element, variant)).join('')
      case 'Quantifier': return this.textOf(node.element, variant).repeat(Math.min(Math.max(node.min, 1), node.max, 40))
      default: return ''
    }
  }
}

const nodesOf = (pattern: AST.Pattern): AST.Node[] => {
  const nodes: AST.Node[] = []
  const add = (node: AST.Node) => { nodes.push(node) }
  visitRegExpAST(pattern, {
    onAlternativeEnter: add,
    onQuantifierEnter: add,
    onGroupEnter: add,
    onCapturingGroupEnter: add,
    onCharacterEnter: add,
    onCharacterSetEnter: add,
    onCharacterClassEnter: add,
    onAssertionEnter: add
  })
  return nodes
}

/** One character of each kind that the expression distinguishes, and one that it does not name. */
const kindsOf = (sampler: Sampler, atoms: Atom[]): string[] => {
  const kinds = new Map<string, string>()
  const sets = [...new Map(atoms.map((atom) => [atom.raw, new Set(sampler.charsOf(atom))])).values()]
  for (const char of new Set([...atoms.flatMap((atom) => sampler.charsOf(atom).slice(0, 1)), ...alphabet])) {
    const kind = `${sets.map((set) => set.has(char) ? 1 : 0).join('')}${/\w/.test(char) ? 'w' : ''}`
    if (!kinds.has(kind)) kinds.set(kind, char)
  }
  return [...kinds.values()]
}

/** What stands before a node in its alternative, and in those around it. */
const beforeOf = (sampler: Sampler, node: AST.Node, variant: number): string => {
  const { parent } = node
  if (!parent) return ''
  const outer = beforeOf(sampler, parent, variant)
  if (parent.type !== 'Alternative') return outer
  const at = parent.elements.indexOf(node as AST.Element)
  return outer + parent.elements.slice(0, at).map((element) => sampler.textOf(element, variant)).join('')
}

const maxMiddle = 60
const maxPairs = 12
const maxEnds = 6

/** @returns texts that an expression may read more than once a character: what its parts match, again and again */
export const pumpsOf = (source: string, flags: string): Pump[] => {
  const unicode = flags.includes('u')
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets: false })
  const sampler = new Sampler(flags)
  const nodes = nodesOf(pattern)
  const kinds = kindsOf(sampler, nodes.filter(isAtom))
  const few = kinds.slice(0, maxPairs)
  const ends = new Set(['', '\n', '\0', ...kinds.slice(0, maxEnds)])
  const pairs = few.flatMap((one) => few.filter((other) => other !== one).map((other) => one + other))
  const found = new Map<string, Pump>()
  const add = (before: string, middle: string, afters: Iterable<string> = ['', '\n', '\0']) => {
    if (middle === '' || middle.length > maxMiddle) return
    for (const after of afters) found.set(JSON.stringify([before, middle, after]), { before, middle, after })
  }
  for (const middle of kinds) for (const before of ['', '\0']) add(before, middle, ends)
  for (const middle of pairs) add('', middle, ['', '\n'])
  for (let variant = 0; variant < variants; variant++) {
    for (const node of nodes) {
      const before = beforeOf(sampler, node, variant)
      const own = sampler.textOf(node, variant)
      add('', own)
      add('', before + own)
      add(before, own)
      if (node.type === 'Quantifier' && node.max > 20) for (const kind of few) add(before, kind)
    }
  }
  return [...found.values()]
}

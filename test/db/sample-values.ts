import ts from 'typescript'

/** How deep in an argument it is tried what else a value may be; further down the first possibility is taken. */
const triedDepth = 3
/** Types may hold themselves; what is so deep in an argument no statement names. */
const maxDepth = 7

const { Undefined, Null, BooleanLike, StringLike, NumberLike, BigIntLike } = ts.TypeFlags

/** One value for each path at which there is a choice; what is not named takes its first possibility. */
type Picks = ReadonlyMap<string, number>

interface Choice {
  count: number
  /** How many of them are tried one by one; that something is absent shows when all is. */
  tried: number
}

/**
 * Values of a type: one with everything present, one with everything left out that may be, and for each choice
 * (a union's member, a list with nothing in it) one value that differs from the first only there.
 */
export class Samples {
  readonly #choices = new Map<string, Choice>()
  #picks: Picks = new Map()

  constructor (private readonly checker: ts.TypeChecker, private readonly node: ts.Node) {}

  /** @param special a value that an argument has in any case, by the type's name; undefined = none */
  * of (types: readonly ts.Type[], special: (type: ts.Type) => unknown): Generator<unknown[]> {
    const make = (picks: Picks) => {
      this.#picks = picks
      return types.map((type, index) => special(type) ?? this.#make(type, `${index}`, 0))
    }
    yield make(new Map())
    const choices = [...this.#choices]
    for (const [path, { tried }] of choices) {
      for (let pick = 1; pick < tried; pick++) yield make(new Map([[path, pick]]))
    }
    yield make(new Map(choices.map(([path, { count }]) => [path, count - 1])))
  }

  #pick (path: string, depth: number, count: number, tried = count): number {
    if (depth > triedDepth) return 0
    this.#choices.set(path, { count, tried })
    return this.#picks.get(path) ?? 0
  }

  #make (type: ts.Type, path: string, depth: number): unknown {
    if (depth > maxDepth) return undefined
    if (type.isUnion()) return this.#oneOf(type, path, depth)
    if (type.flags & (Undefined | Null)) return type.flags & Null ? null : undefined
    if (type.isStringLiteral() || type.isNumberLiteral()) return type.value
    if (type.flags & BooleanLike) return this.checker.typeToString(type) === 'true'
    if (type.flags & StringLike) return 'text'
    if (type.flags & NumberLike) return 1
    if (type.flags & BigIntLike) return 1n
    return this.#object(type, path, depth)
  }

  /** What is absent comes last: the last possibilities together are the value with everything left out. */
  #oneOf ({ types }: ts.UnionType, path: string, depth: number): unknown {
    // By name: the compiler's own order is that in which it came upon them.
    const orderOf = (type: ts.Type) =>
      `${type.flags & Undefined ? 2 : 0}${type.flags & Null ? 1 : 0}${this.checker.typeToString(type)}`
    const sorted = types.map((type) => ({ type, order: orderOf(type) })).sort((a, b) => a.order < b.order ? -1 : 1)
    const tried = types.filter(({ flags }) => !(flags & Undefined)).length
    const picked = sorted[this.#pick(path, depth, sorted.length, tried)]?.type
    return picked && this.#make(picked, path, depth)
  }

  #object (type: ts.Type, path: string, depth: number): unknown {
    const name = type.symbol?.name
    if (name === 'Date') return new Date(0)
    if (name === 'Buffer' || name === 'Uint8Array') return Buffer.from('text')
    if (this.checker.isArrayType(type)) {
      const [element] = this.checker.getTypeArguments(type as ts.TypeReference)
      return this.#pick(`${path}[]`, depth, 2) === 0 && element ? [this.#make(element, `${path}[0]`, depth + 1)] : []
    }
    if (type.getCallSignatures().length > 0) return () => undefined
    // By name as well: a mapped type has its properties in no order.
    const properties = [...this.checker.getPropertiesOfType(type)].sort((a, b) => a.name < b.name ? -1 : 1)
    return Object.fromEntries(properties.flatMap((property) => {
      const value = this.#make(this.checker.getTypeOfSymbolAtLocation(property, this.node),
        `${path}.${property.name}`, depth + 1)
      return value === undefined ? [] : [[property.name, value]]
    }))
  }
}

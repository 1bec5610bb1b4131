import { fieldsOf, isObject } from '../../schemas/unknown.js'

type Json = Record<string, unknown>

/** A request that was right must stay right; an answer must stay what a client of before can read. */
type Direction = 'request' | 'answer'

const listOf = (value: unknown): unknown[] => Array.isArray(value) ? value : []

/** @returns the parts of one list that are in none of the other, by their JSON */
const missingIn = (all: readonly unknown[], from: readonly unknown[]): unknown[] => {
  const known = new Set(all.map((value) => JSON.stringify(value)))
  return from.filter((value) => !known.has(JSON.stringify(value)))
}

const typesOf = ({ type, const: one }: Json): string[] => {
  if (type === undefined && one !== undefined) return [one === null ? 'null' : typeof one]
  return [type].flat().filter((name): name is string => typeof name === 'string')
}

const valuesOf = (schema: Json): unknown[] | undefined =>
  'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined

/** Members of a union; of anything else, itself. */
const membersOf = (schema: Json): unknown[] => {
  const members = listOf(schema.anyOf ?? schema.oneOf)
  return members.length > 0 ? members : [schema]
}

/** @returns the members of a union that says which is which, by that */
const kindsOf = ({ discriminator }: Json): Json | undefined => {
  const { mapping } = fieldsOf(discriminator)
  return isObject(mapping) ? mapping : undefined
}

const least = ['minimum', 'minLength', 'minItems', 'exclusiveMinimum']
const most = ['maximum', 'maxLength', 'maxItems', 'exclusiveMaximum']

/** Two documents of one API: what of the later one breaks clients of the earlier. */
class Comparison {
  readonly #seen = new Set<string>()

  constructor (private readonly before: Json, private readonly after: Json) {}

  #follow (document: Json, part: unknown): Json {
    const ref = fieldsOf(part).$ref
    if (typeof ref !== 'string') return fieldsOf(part)
    const found = ref.split('/').slice(1).reduce<unknown>((node, name) => fieldsOf(node)[name], document)
    return this.#follow(document, found)
  }

  /** @returns what is worse about `now`, by the place where it is */
  schema (was: unknown, now: unknown, direction: Direction, at: string): string[] {
    const key = JSON.stringify([was, now, direction])
    // A schema that holds itself has been compared, or is being.
    if (fieldsOf(was).$ref !== undefined && this.#seen.has(key)) return []
    this.#seen.add(key)
    const [old, next] = [this.#follow(this.before, was), this.#follow(this.after, now)]
    const kinds = [kindsOf(old), kindsOf(next)] as const
    if (direction === 'answer' && kinds[0] && kinds[1]) return this.#kinds(kinds[0], kinds[1], at)
    const [olds, nexts] = [membersOf(old), membersOf(next)]
    if (olds.length > 1 || nexts.length > 1) return this.#union(olds, nexts, direction, at)
    return [...this.#values(old, next, direction, at), ...this.#object(old, next, direction, at),
      ...(old.items === undefined ? [] : this.schema(old.items, next.items, direction, `${at}[]`)),
      ...(isObject(old.additionalProperties)
        ? this.schema(old.additionalProperties, next.additionalProperties, direction, `${at}.*`)
        : [])]
  }

  /** Clients ignore kinds that they do not know (docs/api.md). */
  #kinds (was: Json, now: Json, at: string): string[] {
    return Object.keys(was).filter((name) => name in now)
      .flatMap((name) => this.schema({ $ref: was[name] }, { $ref: now[name] }, 'answer', `${at}|${name}`))
  }

  /** Each member that is sent must fit one that is taken. */
  #union (olds: unknown[], nexts: unknown[], direction: Direction, at: string): string[] {
    const [sent, taken] = direction === 'request' ? [olds, nexts] : [nexts, olds]
    return sent.flatMap((member, index) => {
      const against = (other: unknown) => direction === 'request'
        ? this.schema(member, other, direction, `${at}|${index}`)
        : this.schema(other, member, direction, `${at}|${index}`)
      const all = taken.map((other) => new Comparison(this.before, this.after).#alone(() => against(other)))
      if (all.some((found) => found.length === 0)) return []
      // A member of the same type says what has changed; one of another type says only that it is another.
      const isOther = (found: string[]) => found.some((one) => one.startsWith(`${at}|${index}: may be`))
      return all.toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)) || a.length - b.length)[0] ?? []
    })
  }

  /** What one member is compared with must not count as seen for the next. */
  #alone (compare: () => string[]): string[] {
    this.#seen.clear()
    return compare()
  }

  #values (old: Json, next: Json, direction: Direction, at: string): string[] {
    const [sent, taken] = direction === 'request' ? [old, next] : [next, old]
    const [types, allowed] = [typesOf(sent), typesOf(taken)]
    if (allowed.includes('number')) allowed.push('integer')
    const others = allowed.length === 0 ? [] : types.length === 0 ? ['anything'] : missingIn(allowed, types)
    const [values, known] = [valuesOf(sent), valuesOf(taken)]
    const unknown = known === undefined ? [] : missingIn(known, values ?? ['anything'])
    return [
      ...(others.length > 0 ? [`${at}: may be ${others.join(', ')}, which was not so or is not taken`] : []),
      ...(unknown.length > 0 ? [`${at}: ${unknown.join(', ')} is new in an answer, or not taken any more`] : []),
      ...(direction === 'request' ? boundsOf(old, next, at) : [])
    ]
  }

  #object (old: Json, next: Json, direction: Direction, at: string): string[] {
    const [was, is] = [fieldsOf(old.properties), fieldsOf(next.properties)]
    const [needed, needs] = [listOf(old.required), listOf(next.required)]
    const gone = Object.keys(was).filter((name) => !(name in is))
    const kept = Object.keys(was).filter((name) => name in is)
    const isClosed = next.additionalProperties === false
    const lost = direction === 'answer' ? gone : isClosed ? gone : []
    const changed = direction === 'request'
      ? missingIn(needed, needs).map((name) => `${at}.${name}: must be sent now`)
      : kept.filter((name) => needed.includes(name) && !needs.includes(name))
        .map((name) => `${at}.${name}: may be absent now`)
    return [...lost.map((name) => `${at}.${name}: is gone`), ...changed,
      ...kept.flatMap((name) => this.schema(was[name], is[name], direction, `${at}.${name}`))]
  }

  #parameters (was: Json, now: Json, at: string): string[] {
    const keyed = (document: Json, { parameters }: Json) => new Map(listOf(parameters).map((one) => {
      const parameter = this.#follow(document, one)
      return [`${parameter.in} ${parameter.name}`, parameter] as const
    }))
    const [olds, nexts] = [keyed(this.before, was), keyed(this.after, now)]
    const fresh = [...nexts].filter(([name, { required }]) => required === true && olds.get(name)?.required !== true)
    return [
      ...fresh.map(([name]) => `${at} ${name}: must be sent now`),
      ...[...olds].flatMap(([name, { schema }]) => {
        const next = nexts.get(name)
        return next ? this.schema(schema, next.schema, 'request', `${at} ${name}`) : [`${at} ${name}: is gone`]
      })
    ]
  }

  #contents (was: unknown, now: unknown, direction: Direction, at: string): string[] {
    const next = fieldsOf(fieldsOf(now).content)
    return Object.entries(fieldsOf(fieldsOf(was).content)).flatMap(([type, content]) => type in next
      ? this.schema(fieldsOf(content).schema, fieldsOf(next[type]).schema, direction, at)
      : [`${at}: ${type} is gone`])
  }

  operation (was: Json, now: Json, at: string): string[] {
    const [answers, next] = [fieldsOf(was.responses), fieldsOf(now.responses)]
    const [body, nextBody] = [this.#follow(this.before, was.requestBody), this.#follow(this.after, now.requestBody)]
    return [
      ...(was.operationId === now.operationId ? [] : [`${at}: is ${now.operationId}, and was ${was.operationId}`]),
      ...this.#parameters(was, now, at),
      ...(nextBody.required === true && body.required !== true ? [`${at} body: must be sent now`] : []),
      ...this.#contents(body, nextBody, 'request', `${at} body`),
      // What fails may fail otherwise: errors differ by their codes, and problems are all alike.
      ...Object.keys(answers).filter((status) => status < '300').flatMap((status) => status in next
        ? this.#contents(this.#follow(this.before, answers[status]), this.#follow(this.after, next[status]), 'answer',
          `${at} ${status}`)
        : [`${at}: does not answer ${status} any more`])
    ]
  }
}

const boundsOf = (old: Json, next: Json, at: string): string[] => {
  const number = (value: unknown, otherwise: number) => typeof value === 'number' ? value : otherwise
  const narrower = [
    ...least.filter((name) => number(next[name], -Infinity) > number(old[name], -Infinity)),
    ...most.filter((name) => number(next[name], Infinity) < number(old[name], Infinity)),
    ...['pattern', 'format'].filter((name) => next[name] !== undefined && next[name] !== old[name])
  ]
  return narrower.map((name) => `${at}: its ${name} is ${String(next[name])}, and was ${String(old[name] ?? 'free')}`)
}

/** @returns what of a document breaks clients that were made from the one before it */
export const breakingChanges = (before: Json, after: Json): string[] => {
  const comparison = new Comparison(before, after)
  return Object.entries(fieldsOf(before.paths)).flatMap(([path, operations]) =>
    Object.entries(fieldsOf(operations)).flatMap(([method, operation]) => {
      const next = fieldsOf(fieldsOf(fieldsOf(after.paths)[path])[method])
      const at = `${method.toUpperCase()} ${path}`
      return next.responses === undefined ? [`${at}: is gone`] : comparison.operation(fieldsOf(operation), next, at)
    }))
}

import { STATUS_CODES } from 'node:http'
import { fieldsOf } from '../../schemas/unknown.js'

type Json = Record<string, unknown>
type Operations = Json & { parameters?: unknown[], responses?: Record<string, Json> }

const pascal = (text: string): string =>
  text.replace(/[^A-Za-z0-9]+/g, ' ').split(' ').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')

/** The longest name of a part. */
const maxName = 60

interface Part { value: Json, uses: number, tag: string }

/** @returns the words of a list that are not in another */
const without = (list: readonly string[], other: readonly string[]): string[] => list.filter((one) => !other.includes(one))

/** The codes of an error answer, which its description lists. */
const codesOf = ({ description }: Json): string[] => [...String(description).matchAll(/`(\w+)`/g)].map(([, code = '']) => code)

/** Names to try, the best first, for one of several parts that would have one name. `usual` is the most used of them. */
type Naming = (part: Part, usual: Part) => string[]

/** An answer is named by what it has more, or less, than the usual one of its status. */
const nameAnswer = (status: string): Naming => ({ value, tag }, usual) => {
  const name = pascal(STATUS_CODES[status] ?? status)
  const [own, others] = [codesOf(value), codesOf(usual.value)]
  const [more, less] = [without(own, others), without(others, own)].map((codes) => codes.map(pascal).join('And'))
  const differs = `${more ? `With${more}` : ''}${less ? `Without${less}` : ''}`
  const parts = [...without(own, others).map((code) => `With${pascal(code)}`),
    ...without(others, own).map((code) => `Without${pascal(code)}`)]
  return [name, `${name}${differs}`, `${pascal(tag)}${name}`, ...parts.map((part) => `${name}${part}`),
    ...parts.map((part) => `${pascal(tag)}${name}${part}`)]
}

/** A parameter is named by where it is, or by the area that has it. */
const nameParameter = (name: string): Naming => ({ value, tag }) =>
  [name, `${name}In${pascal(String(value.in))}`, `${pascal(tag)}${name}`, `${pascal(tag)}${name}In${pascal(String(value.in))}`]

/** Equal parts of operations, each under one name in words, so that the names of a client are the same next time. */
class Shared {
  readonly #groups = new Map<string, Map<string, Part>>()
  #names: Map<string, string> | undefined

  /** @param naming of the section's groups: a group has those that would have the same name */
  constructor (private readonly section: string, private readonly naming: (group: string) => Naming) {}

  count (group: string, value: Json, tag: string): void {
    const parts = this.#groups.get(group) ?? new Map<string, Part>()
    this.#groups.set(group, parts)
    const text = JSON.stringify(value)
    const { uses } = parts.get(text) ?? { uses: 0 }
    parts.set(text, { value, tag, ...parts.get(text), uses: uses + 1 })
  }

  /** The names of what stands more than once, by the part's text. */
  get #chosen (): Map<string, string> {
    if (this.#names) return this.#names
    const taken = new Set<string>()
    this.#names = new Map()
    for (const [group, parts] of this.#groups) {
      const shared = [...parts].filter(([, { uses }]) => uses > 1).sort(([, a], [, b]) => b.uses - a.uses)
      for (const [text, part] of shared) {
        const names = this.naming(group)(part, shared[0]?.[1] ?? part).filter((one) => one.length <= maxName)
        const counted = shared.map((_, at) => `${names[0] ?? group}${at + 2}`)
        const name = [...names, ...counted].find((one) => !taken.has(one)) ?? group
        taken.add(name)
        this.#names.set(text, name)
      }
    }
    return this.#names
  }

  /** @returns a reference to the part where it stands more than once, else the part */
  reduce (part: unknown): unknown {
    const name = this.#chosen.get(JSON.stringify(part))
    return name === undefined ? part : { $ref: `#/components/${this.section}/${name}` }
  }

  named (): Json {
    const named = [...this.#chosen].map(([text, name]) => [name, JSON.parse(text) as unknown] as const)
    return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

const errorsOf = ({ responses = {} }: Operations) => Object.entries(responses).filter(([status]) => /^[45]/.test(status))

const operationsOf = (paths: object): Operations[] =>
  Object.values(paths).flatMap((path: object) => Object.values(path).map((operation) => fieldsOf(operation)))

const tagOf = ({ tags }: Operations): string => Array.isArray(tags) ? String(tags[0]) : ''

/**
 * Puts the error answers and parameters that several operations have under `components`, so that each stands once: most
 * of a document is errors otherwise. Changes the document's operations in place.
 * @returns the document
 */
export const shareParts = <T extends { paths?: object, components?: object }>(document: T): T => {
  const responses = new Shared('responses', nameAnswer)
  const parameters = new Shared('parameters', nameParameter)
  const all = operationsOf(document.paths ?? {})
  for (const operation of all) {
    for (const parameter of operation.parameters?.map(fieldsOf) ?? []) {
      parameters.count(pascal(String(parameter.name)), parameter, tagOf(operation))
    }
    for (const [status, answer] of errorsOf(operation)) responses.count(status, answer, tagOf(operation))
  }
  for (const operation of all) {
    if (operation.parameters) operation.parameters = operation.parameters.map((parameter) => parameters.reduce(parameter))
    const reduced = errorsOf(operation).map(([status, answer]) => [status, fieldsOf(responses.reduce(answer))] as const)
    if (operation.responses) Object.assign(operation.responses, Object.fromEntries(reduced))
  }
  const shared = { responses: responses.named(), parameters: parameters.named() }
  return { ...document, components: { ...document.components, ...shared } }
}

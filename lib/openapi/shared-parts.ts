import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { fieldsOf } from '../../schemas/unknown.js'

type Json = Record<string, unknown>
type Operations = Json & { parameters?: unknown[], responses?: Record<string, Json> }

const pascal = (text: string): string =>
  text.replace(/[^A-Za-z0-9]+/g, ' ').split(' ').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')

const maxName = 60

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 6)

/** An error answer is named by its codes, which its description lists; many codes by their hash. */
const nameOfResponse = (status: string, response: Json): string => {
  const codes = pascal(String(response.description))
  return codes.length <= maxName ? codes : `${pascal(STATUS_CODES[status] ?? '')}_${hashOf(response)}`
}

const nameOfParameter = (parameter: Json): string => `${pascal(String(parameter.name))}_${hashOf(parameter)}`

/** Equal parts of operations, each under one name. */
class Shared {
  readonly #uses = new Map<string, number>()
  readonly #named = new Map<string, unknown>()

  constructor (private readonly section: string) {}

  count (part: unknown): void {
    const text = JSON.stringify(part)
    this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1)
  }

  /** @returns a reference to the part where it stands more than once, else the part */
  reduce (part: unknown, nameOf: () => string): unknown {
    if ((this.#uses.get(JSON.stringify(part)) ?? 0) < 2) return part
    const name = nameOf()
    const held = this.#named.get(name)
    if (held !== undefined && JSON.stringify(held) !== JSON.stringify(part)) {
      throw new Error(`Two different ${this.section} are called ${name}`)
    }
    this.#named.set(name, part)
    return { $ref: `#/components/${this.section}/${name}` }
  }

  named (): Json { return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

const errorsOf = ({ responses = {} }: Operations) => Object.entries(responses).filter(([status]) => /^[45]/.test(status))

const operationsOf = (paths: object): Operations[] =>
  Object.values(paths).flatMap((path: object) => Object.values(path).map((operation) => fieldsOf(operation)))

/**
 * Puts the error answers and parameters that several operations have under `components`, so that each stands once: most
 * of a document is errors otherwise. Changes the document's operations in place.
 * @returns the document
 */
export const shareParts = <T extends { paths?: object, components?: object }>(document: T): T => {
  const responses = new Shared('responses')
  const parameters = new Shared('parameters')
  const all = operationsOf(document.paths ?? {})
  for (const operation of all) {
    operation.parameters?.forEach((parameter) => parameters.count(parameter))
    for (const [, answer] of errorsOf(operation)) responses.count(answer)
  }
  for (const operation of all) {
    if (operation.parameters) {
      operation.parameters = operation.parameters.map((parameter) =>
        parameters.reduce(parameter, () => nameOfParameter(fieldsOf(parameter))))
    }
    const reduced = errorsOf(operation).map(([status, answer]) =>
      [status, fieldsOf(responses.reduce(answer, () => nameOfResponse(status, answer)))] as const)
    if (operation.responses) Object.assign(operation.responses, Object.fromEntries(reduced))
  }
  const shared = { responses: responses.named(), parameters: parameters.named() }
  return { ...document, components: { ...document.components, ...shared } }
}

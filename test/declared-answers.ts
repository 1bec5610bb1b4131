import type { FastifyServerOptions } from 'fastify'
import type { Test } from './tap.js'

interface Line { msg?: string, operation?: string, status?: number, code?: string }
interface Answer { $ref?: string, description?: string }
interface Operation { operationId?: string, responses?: Record<string, Answer> }
interface Watched { swagger: () => unknown }

const isDeclared = (operations: Operation[], { operation, status, code }: Line): boolean => {
  const answer = operations.find((one) => one.operationId === operation)?.responses?.[String(status)]
  return answer !== undefined && (code === undefined || answer.description?.includes(`\`${code}\``) === true)
}

const operationsOf = (app: Watched): Operation[] => {
  // The document is JSON; only these parts are looked at.
  const { paths, components } = app.swagger() as
    { paths: Record<string, Record<string, Operation>>, components: { responses: Record<string, Answer> } }
  const follow = (answer: Answer): Answer => components.responses[answer.$ref?.split('/').at(-1) ?? ''] ?? answer
  return Object.values(paths).flatMap((path) => Object.values(path)).map(({ operationId, responses = {} }) => ({
    operationId,
    responses: Object.fromEntries(Object.entries(responses).map(([status, answer]) => [status, follow(answer)]))
  }))
}

/** Of the process: all applications have the same operations, and reading them takes a tenth of what a file costs. */
let operations: Operation[] | undefined

/**
 * Reads the log of an application under test. An answer that its operation does not declare, by status and code,
 * fails the test that asked for it: `check` says for which file.
 */
export const watchAnswers = () => {
  const seen = new Map<string, Line>()
  const write = (text: string): void => {
    const line = JSON.parse(text) as Line
    if (line.msg === 'request' && line.operation) seen.set(`${line.operation} ${line.status} ${line.code ?? ''}`, line)
  }
  const logger: FastifyServerOptions['logger'] = { level: 'info', stream: { write } }
  const check = (t: Pick<Test, 'afterEach'>, app: Watched): void => {
    operations ??= operationsOf(app)
    const declared = operations
    t.afterEach(() => {
      const undeclared = [...seen].filter(([, line]) => !isDeclared(declared, line)).map(([answer]) => answer.trim())
      seen.clear()
      if (undeclared.length > 0) throw new Error(`Answers that no operation declares: ${undeclared.join(', ')}`)
    })
  }
  return { logger, check }
}

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'

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

/**
 * The first of a suite's test files leaves the operations in the file that TEST_OPERATIONS names, beside the bundle
 * that all of them read: making the document takes a tenth of what a small test file costs.
 */
const keptOperationsOf = (app: Watched): Operation[] => {
  const file = process.env.TEST_OPERATIONS
  if (file === undefined) return operationsOf(app)
  // Written by the lines below.
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Operation[]
  const operations = operationsOf(app)
  writeFileSync(`${file}-${process.pid}`, JSON.stringify(operations))
  renameSync(`${file}-${process.pid}`, file)
  return operations
}

/**
 * Reads the log of an application under test. An answer that its operation does not declare, by status and code,
 * fails the test that asked for it.
 */
export const watchAnswers = (t: Pick<Test, 'afterEach'>) => {
  const seen = new Map<string, Line>()
  const write = (text: string): void => {
    const line = JSON.parse(text) as Line
    if (line.msg === 'request' && line.operation) seen.set(`${line.operation} ${line.status} ${line.code ?? ''}`, line)
  }
  const logger: FastifyServerOptions['logger'] = { level: 'info', stream: { write } }
  const check = (app: Watched): void => {
    const operations = keptOperationsOf(app)
    t.afterEach(() => {
      const undeclared = [...seen].filter(([, line]) => !isDeclared(operations, line)).map(([answer]) => answer.trim())
      seen.clear()
      if (undeclared.length > 0) throw new Error(`Answers that no operation declares: ${undeclared.join(', ')}`)
    })
  }
  return { logger, check }
}

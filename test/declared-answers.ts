import type { FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'

interface Line { msg?: string, operation?: string, status?: number, code?: string }
interface Operation { operationId?: string, responses?: Record<string, { description?: string }> }
interface Watched { swagger: () => unknown }

const isDeclared = (operations: Operation[], { operation, status, code }: Line): boolean => {
  const answer = operations.find((one) => one.operationId === operation)?.responses?.[String(status)]
  return answer !== undefined && (code === undefined || answer.description?.includes(`\`${code}\``) === true)
}

const operationsOf = (app: Watched): Operation[] => {
  // The document is JSON; only these parts are looked at.
  const { paths } = app.swagger() as { paths: Record<string, Record<string, Operation>> }
  return Object.values(paths).flatMap((path) => Object.values(path))
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
    const operations = operationsOf(app)
    t.afterEach(() => {
      const undeclared = [...seen].filter(([, line]) => !isDeclared(operations, line)).map(([answer]) => answer.trim())
      seen.clear()
      if (undeclared.length > 0) throw new Error(`Answers that no operation declares: ${undeclared.join(', ')}`)
    })
  }
  return { logger, check }
}

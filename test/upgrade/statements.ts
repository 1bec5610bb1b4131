import type { PGlite } from '@electric-sql/pglite'
import { textIn } from '../../schemas/unknown.js'

/** @returns the statements of a snapshot that a plan can be made of */
export const statementsIn = (snapshot: string): string[] => snapshot.replaceAll(/^-- .*\n/gm, '')
  .split(/;\n/).map((text) => text.trim()).filter((text) => /^(select|insert|update|delete|with)\b/.test(text))

/** Within a transaction. @returns by statement why no plan can be made of it */
export const explainAll = async (lite: PGlite, statements: readonly string[]): Promise<Map<string, string>> => {
  const failed = new Map<string, string>()
  for (const statement of statements) {
    // One that fails must not end a transaction around it.
    await lite.exec('savepoint explained')
    await lite.exec(`explain (generic_plan) ${statement}`)
      .catch((error: unknown) => failed.set(statement, textIn(error, 'message') ?? 'no reason'))
    await lite.exec('rollback to explained')
  }
  return failed
}

import { readFileSync } from 'node:fs'

export interface Shown {
  /** The function that sends it. */
  sentBy: string
  statement: string
}

/** An empty list, which no caller gives: what is made of it is no SQL. */
const isOfNothing = (statement: string): boolean =>
  /(?:\bin|\binto "?\w+"?) \(\)|\bvalues(?:$| \))|\bset where\b/.test(statement)

/** @returns the statements of the snapshot */
export const listStatements = (): Shown[] =>
  readFileSync('test/db/queries.snapshot.sql', 'utf8').split(/^-- /m).slice(1).flatMap((entry) => {
    const [sentBy = '', ...lines] = entry.split('\n')
    return lines.join('\n').split(/;\n/).map((line) => line.trim().replace(/\s+/g, ' '))
      .filter((statement) => statement !== '' && !isOfNothing(statement)).map((statement) => ({ sentBy, statement }))
  })

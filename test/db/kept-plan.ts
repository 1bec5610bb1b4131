import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { openKysely, type Db } from '../../db/index.js'

/** @returns the first statement that the work sends */
export const textOf = async (app: FastifyInstance, work: (db: Db) => Promise<unknown>): Promise<string> => {
  const texts: string[] = []
  await work(openKysely(app.database.pool, ({ query }) => { texts.push(query.sql) }))
  return texts[0] ?? ''
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

const anonymous = (condition: string) => condition.replace(/\$\d+|"?\*?[\w*]+\*?"?\.\w+/g, '?')

const scansOf = (plan: Plan): string[] => {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition = '' } = plan
  const own = index === undefined ? [`${type} ${table}`] : [`${index} ${anonymous(condition)}`]
  return [...(type.endsWith('Scan') && table !== undefined ? own : []), ...(plan.Plans ?? []).flatMap(scansOf)]
}

/** @returns what is read by a plan of the statement that is made now, for any parameters, and kept */
export const keptPlanOf = (app: FastifyInstance, text: string): Promise<string[]> =>
  app.db.connection().execute(async (db) => {
    const count = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
    const nulls = Array.from({ length: count }, () => 'null').join(', ')
    await sql`set plan_cache_mode = force_generic_plan`.execute(db)
    await sql.raw(`prepare kept as ${text}`).execute(db)
    const { rows } = await sql.raw<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (format json) execute kept(${nulls})`).execute(db)
    await sql`deallocate kept`.execute(db)
    await sql`reset plan_cache_mode`.execute(db)
    return rows.flatMap((row) => row['QUERY PLAN']).flatMap((entry) => scansOf(entry.Plan)).toSorted()
  })

import { Type, type Static } from '@sinclair/typebox'

export const Health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' })
export const Readiness = Type.Object({
  status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')], {
    description: 'degraded: a worker of the database does not answer, which keeps its workspaces from working, and ' +
      'no others'
  }),
  database: Type.Object({
    embedded: Type.Boolean(),
    unreachable_workers: Type.Optional(Type.Array(Type.String(), {
      description: 'Where the database is divided among workers: those that do not answer, as of some seconds ago'
    }))
  }),
  sandboxed: Type.Array(Type.String(), { description: 'Providers that a sandbox answers for, on loopback' })
}, { $id: 'Readiness' })
export type Readiness = Static<typeof Readiness>

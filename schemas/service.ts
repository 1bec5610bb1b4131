import { Type } from '@sinclair/typebox'

export const Health = Type.Object({ status: Type.Literal('ok') }, { $id: 'Health' })
export const Readiness = Type.Object({
  status: Type.Literal('ready'),
  database: Type.Object({ embedded: Type.Boolean() }),
  sandboxed: Type.Array(Type.String(), { description: 'Providers that a sandbox answers for, on loopback' })
}, { $id: 'Readiness' })

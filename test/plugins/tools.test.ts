import t from '../tap.js'
import { Type, type TObject } from '@sinclair/typebox'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { defineWriteTool } from '../../lib/tools/options.js'
import tools from '../../plugins/tools.js'
import validation from '../../plugins/validation.js'
import { Defaulted } from '../../schemas/common.js'

const Params = Type.Object({ id: Type.String() })
const Body = Type.Object({ count: Type.Integer(), force: Defaulted(Type.Boolean({ default: false })) })
const Unmarked = Type.Object({ count: Type.Integer(), force: Type.Boolean({ default: false }) })

/** Starts an application with one tool. @param body what the route takes */
const start = async (input: { params: TObject, body: TObject }, body: TObject) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(fp(async () => undefined, { name: 'auth' }))
  await app.register(validation)
  await app.register(tools)
  const tool = defineWriteTool({
    input,
    reads: [],
    basis: 'Nothing',
    plan: async () => ({ target: { kind: 'thing', id: '1' }, summary: 'Nothing', changes: [], risk: ['own_records'] })
  })
  const schema = { operationId: 'changeThing', params: Params, body }
  const words = { foreign: false, use: 'Use this.', gives: 'it.', keywords: '' }
  app.post('/things/:id', { config: { tool, words }, schema }, async () => null)
  await app.ready()
  return app
}

t.test('a tool that takes the schemas of its route is found by the name of the operation', async (t) => {
  const app = await start({ params: Params, body: Body }, Body)
  t.match(app.tools.find('changeThing'), { effect: 'write', editable: ['count', 'force'] })
})

t.test('a tool that names other schemas than its route does not start', async (t) => {
  await t.rejects(start({ params: Params, body: Type.Object({ count: Type.Integer() }) }, Body),
    { message: 'The tool changeThing takes other schemas than its route' })
})

t.test('a default that the types of a plan do not know does not start', async (t) => {
  await t.rejects(start({ params: Params, body: Unmarked }, Unmarked),
    { message: 'changeThing: the default of force is not marked by Defaulted()' })
})

t.test('what a plan is given may lack a field with a default, and has the others', async () => {
  defineWriteTool({
    input: { params: Params, body: Body },
    reads: [],
    basis: 'Its types',
    async plan ({ id, count, force }) {
      const given: { id: string, count: number, force: boolean } = { id, count, force: force ?? false }
      // @ts-expect-error Nothing has filled in the default.
      const filled: boolean = force
      return { target: { kind: 'thing', id: given.id }, summary: String(filled), changes: [], risk: ['own_records'] }
    }
  })
})

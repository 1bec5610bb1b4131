import { Type } from '@sinclair/typebox'
import t from '../../tap.js'
import { outputSchema } from '../../../lib/openapi/tool-schema.js'

t.test('an output schema says names and types, and no more', async (t) => {
  const answer = Type.Object({
    items: Type.Array(Type.Object({
      id: Type.String({ format: 'uuid', description: 'its id' }),
      at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
      value: Type.Union([Type.String(), Type.Integer()]),
      labels: Type.Optional(Type.Record(Type.String(), Type.Integer())),
      deep: Type.Object({ deeper: Type.Object({ deepest: Type.String() }) })
    })),
    next_cursor: Type.Union([Type.String({ maxLength: 9 }), Type.Null()])
  }, { $id: 'Answer' })
  t.same(outputSchema(answer), {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            at: { type: ['string', 'null'] },
            kind: { type: 'string' },
            value: {},
            labels: { type: 'object' },
            deep: { type: 'object' }
          }
        }
      },
      next_cursor: { type: ['string', 'null'] }
    },
    required: ['items']
  })
})

t.test('what is no object has none', async (t) => {
  t.equal(outputSchema(Type.Array(Type.String())), undefined)
  t.equal(outputSchema(undefined), undefined)
})

import {
  DescribeTaskDefinitionCommand, ECSClient, ListTaskDefinitionsCommand, RegisterTaskDefinitionCommand
} from '@aws-sdk/client-ecs'
import t from '../../../test/tap.js'
import { setUp } from './aws-setup.js'

t.test('task definitions keep what the sandbox does not know', async (t) => {
  const { config } = await setUp(t)
  const ecs = new ECSClient(config)
  const raw = new ECSClient(config)
  raw.middlewareStack.add(
    (next) => async (args) => {
      // Keys of a newer API, put in before the request is signed.
      const request = args.request as { body: string; headers: Record<string, string> }
      const body = JSON.parse(request.body)
      body.futureTop = { a: 1 }
      body.containerDefinitions[0].futureField = 'kept'
      request.body = JSON.stringify(body)
      request.headers['content-length'] = String(Buffer.byteLength(request.body))
      return next(args)
    },
    { step: 'build', priority: 'low' }
  )
  const { taskDefinition } = await raw.send(
    new RegisterTaskDefinitionCommand({
      family: 'web',
      cpu: '256',
      memory: '512',
      requiresCompatibilities: ['FARGATE'],
      containerDefinitions: [{ name: 'web', image: 'web:3' }],
      tags: [{ key: 'a', value: 'b' }]
    })
  )
  t.match(taskDefinition, { revision: 4, status: 'ACTIVE', registeredBy: 'arn:aws:iam::123456789012:user/steward' })
  t.match(taskDefinition?.containerDefinitions, [{ essential: true, cpu: 0, environment: [] }])
  let wire = ''
  const reader = new ECSClient(config)
  reader.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      // The answer as it came, before the client drops what it does not know.
      const response = result.response as { body: AsyncIterable<Buffer> | Buffer }
      const chunks: Buffer[] = []
      for await (const chunk of response.body) chunks.push(Buffer.from(chunk as Buffer))
      response.body = Buffer.concat(chunks)
      wire = response.body.toString()
      return result
    },
    { step: 'deserialize', priority: 'low' }
  )
  const read = await reader.send(new DescribeTaskDefinitionCommand({ taskDefinition: 'web', include: ['TAGS'] }))
  t.match(read.tags, [{ key: 'a', value: 'b' }])
  t.match(JSON.parse(wire), {
    taskDefinition: { futureTop: { a: 1 }, containerDefinitions: [{ futureField: 'kept' }] }
  })
  t.equal((await ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: 'web:1' }))).tags, undefined)
  await t.rejects(ecs.send(new DescribeTaskDefinitionCommand({ taskDefinition: 'web:99' })), {
    name: 'ClientException',
    message: 'Unable to describe task definition.'
  })
  const list = await ecs.send(new ListTaskDefinitionsCommand({ familyPrefix: 'web', sort: 'DESC', maxResults: 2 }))
  t.same(
    list.taskDefinitionArns?.map((one) => one.split('/')[1]),
    ['web:4', 'web:3']
  )
  t.ok(list.nextToken)
})

t.test('task definitions that are refused', async (t) => {
  const { config } = await setUp(t)
  const ecs = new ECSClient(config)
  const register = (containerDefinitions: object[], more = {}) =>
    ecs.send(new RegisterTaskDefinitionCommand({ family: 'x', containerDefinitions, ...more }))
  await t.rejects(register([]), { name: 'ClientException' })
  await t.rejects(register([{ name: 'a', memory: 64 }]), { message: /image should not be null/ })
  await t.rejects(register([{ image: 'a', memory: 64 }]), { message: /name should not be null/ })
  await t.rejects(register([{ name: 'a', image: 'b' }]), { message: /memoryReservation/ })
  await t.rejects(register([{ name: 'a', image: 'b' }], { requiresCompatibilities: ['FARGATE'] }), {
    message: /task level/
  })
  await t.rejects(register([{ name: 'a', image: 'b', memory: 64 }], { family: 'no spaces' }), {
    name: 'ClientException'
  })
})

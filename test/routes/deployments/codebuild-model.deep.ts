import { Readable } from 'node:stream'
import {
  BatchGetBuilds$, BatchGetProjects$, CodeBuild, ListBuildsForProject$, type ServiceInputTypes, type ServiceOutputTypes, StartBuild$,
  StopBuild$
} from '@aws-sdk/client-codebuild'
import type { DeserializeMiddleware } from '@smithy/types'
import t from '../../tap.js'
import { aws } from '../../consent/infrastructure.js'
import { buildApp } from '../../app.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, keepRolling, makeApp, run, runnerOf, sha, until } from './actors.js'

// What Steward sends and the sandbox answers, compared with AWS's own model of CodeBuild, as the SDK's client has it.

const operations: Record<string, unknown> = {
  BatchGetBuilds: BatchGetBuilds$,
  BatchGetProjects: BatchGetProjects$,
  ListBuildsForProject: ListBuildsForProject$,
  StartBuild: StartBuild$,
  StopBuild: StopBuild$
}

/** Of the model's simple types, by their numbers. */
const simple: Record<number, (value: unknown) => boolean> = {
  0: (value) => typeof value === 'string',
  1: (value) => typeof value === 'number',
  2: (value) => typeof value === 'boolean',
  4: (value) => typeof value === 'number'
}
const [listOf, mapOf] = [64, 128]
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const misfitsOfNumber = (type: number, value: unknown, path: string): string[] => {
  if (type & listOf) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((one, at) => misfits(type & ~listOf, one, `${path}/${at}`))
  }
  if (type & mapOf) {
    if (!isRecord(value)) return [`${path} is no map`]
    return Object.entries(value).flatMap(([key, one]) => misfits(type & ~mapOf, one, `${path}/${key}`))
  }
  const check = simple[type]
  if (!check) return [`${path}: the model's type ${type} is not known here`]
  return check(value) ? [] : [`${path} is ${JSON.stringify(value)}, not of type ${type}`]
}

/** @returns where the value is not as the model says: a member that it has not, another type, one that is missing */
const misfits = (schema: unknown, value: unknown, path: string): string[] => {
  if (typeof schema === 'function') return misfits(schema(), value, path)
  if (typeof schema === 'number') return misfitsOfNumber(schema, value, path)
  if (!Array.isArray(schema)) return [`${path}: the model's ${JSON.stringify(schema)} is not known here`]
  const [kind, , , , names, types, required = 0] = schema
  if (kind === 0) return misfits(names, value, path)
  if (kind === 1) return Array.isArray(value) ? value.flatMap((one, at) => misfits(names, one, `${path}/${at}`)) : [`${path} is no list`]
  if (kind !== 3) return [`${path}: the model's kind ${kind} is not known here`]
  if (!isRecord(value)) return [`${path} is no structure`]
  const missing = names.slice(0, required).filter((name: string) => !(name in value)).map((name: string) => `${path} lacks ${name}`)
  return [...missing, ...Object.entries(value).flatMap(([name, member]) => {
    const at = names.indexOf(name)
    return at < 0 ? [`${path} has ${name}, which the model has not`] : misfits(types[at], member, `${path}/${name}`)
  })]
}

const partOf = (operation: string, part: 'input' | 'output'): unknown => {
  const model = operations[operation]
  return Array.isArray(model) ? model[part === 'input' ? 4 : 5] : undefined
}

t.test('the check finds what is wrong', async (t) => {
  const wrong = { build: { id: 1, startTime: 'today', phases: [{ phaseType: 'BUILD', color: 'red' }] } }
  t.same(misfits(partOf('StartBuild', 'output'), wrong, ''), [
    '/build/id is 1, not of type 0', '/build/startTime is "today", not of type 4', '/build/phases/0 has color, which the model has not'
  ])
  t.same(misfits(partOf('StartBuild', 'input'), {}, ''), [' lacks projectName'])
})

interface Raw { response: { body: AsyncIterable<Buffer> } }

/** @returns a client, and the bodies that it gets over the wire, before the SDK leaves out what it does not know */
const recorded = (config: ConstructorParameters<typeof CodeBuild>[0]) => {
  const answers: { operation: string, body: unknown }[] = []
  const client = new CodeBuild(config ?? {})
  const record: DeserializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next, { commandName = '' }) => async (args) => {
    const result = await next(args)
    // The SDK does not type what its own handler gives.
    const { response } = result as unknown as Raw
    const chunks: Buffer[] = []
    for await (const chunk of response.body) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    answers.push({ operation: commandName.replace(/Command$/, ''), body: JSON.parse(bytes.toString()) })
    response.body = Readable.from([bytes])
    return result
  }
  client.middlewareStack.addRelativeTo(record, { relation: 'after', toMiddleware: 'deserializerMiddleware', name: 'recordAnswers' })
  return { client, answers }
}

t.test('what Steward asks CodeBuild, and what the sandbox answers, is as AWS describes it', async (t) => {
  const app = await buildApp(t, { WORKER: 'false' })
  const sandbox = steer(app)
  const stop = keepRolling(t, app)
  const { json, post } = actor(app)
  const of = (project: string) => makeApp(app, project, { builder: { kind: 'codebuild', project } })
  const [good, bad, stuck] = [await of('web-image'), await of('web-image-broken'), await of('web-image-stuck')]
  for (const shop of [good, bad]) {
    t.equal((await actor(app).get(`/apps/${shop.id}/preview?commit=${sha('a')}`)).statusCode, 200)
    await (await run(app, shop.id, { commit: sha('a') })).taken?.ended
  }
  const { path, taken } = await run(app, stuck.id, { commit: sha('b') })
  await until(() => json(path), ({ run: found }) => found?.id != null)
  await post(`${path}/cancel`)
  runnerOf(app).reconcileSoon()
  await taken?.ended
  await stop()

  const { calls } = await sandbox.call<{ calls: { operation: string, params: unknown }[] }>('GET', '/calls?service=codebuild')
  t.same([...new Set(calls.map(({ operation }) => operation))].sort(), Object.keys(operations))
  t.same(calls.flatMap(({ operation, params }) => misfits(partOf(operation, 'input'), params, operation)), [])

  const { client, answers } = recorded(aws(app))
  await client.batchGetProjects({ names: ['web-image', 'nope'] })
  for (const projectName of ['web-image', 'web-image-broken', 'web-image-stuck']) {
    const { ids = [] } = await client.listBuildsForProject({ projectName })
    await client.batchGetBuilds({ ids: [...ids, 'web-image:nope'] })
  }
  const { build } = await client.startBuild({ projectName: 'web-image-stuck', sourceVersion: sha('c') })
  await client.stopBuild({ id: build?.id })
  t.same([...new Set(answers.map(({ operation }) => operation))].sort(), Object.keys(operations))
  t.same(answers.flatMap(({ operation, body }) => misfits(partOf(operation, 'output'), body, operation)), [])
})

import { randomUUID } from 'node:crypto'
import t from '../../tap.js'
import { claimKey } from '../../../db/idempotency.js'
import { bodyHash, keyScope } from '../../../lib/http/requests.js'
import { currentPrincipal } from '../../../lib/security/principal.js'
import { buildApp } from '../../app.js'
import { keepAdvancing } from '../../keep-advancing.js'
import { steer } from '../infrastructure/sandbox.js'
import { actor, builder, claimNext, makeApp, registry, run, sha } from './actors.js'

// As long as a lease lasts, a call without an answer is looked for.
const app = await buildApp(t, { WORKER: 'false', LIMITS: '{"lease_ms":3000}' })
const sandbox = steer(app)
const { json } = actor(app)
const { rowOf, start } = builder(app)

const makeFunctionApp = (name: string) => makeApp(app, name, {
  target: { kind: 'lambda', function_id: 'pdf-render' }, image: `${registry}/pdf-render:{sha}`
})
const countSent = () => sandbox.calls('UpdateFunctionCode')
const failed = (error: RegExp) => ({
  status: 'failed',
  status_reason: 'step_failed',
  steps: [{}, { name: 'deploy', status: 'failed', error }, {}]
})

keepAdvancing(t, () => sandbox.advance(1_000))

/** A build whose deploy call another worker has begun, and of which no answer is known. */
const startCalled = async (name: string, digit: string, isSent: boolean) => {
  const { id: appId } = await makeFunctionApp(name)
  const { id } = await start(appId, { commit: sha(digit) })
  const { workspace_id: workspaceId, principal, target } = await rowOf(id)
  if (target.kind !== 'lambda') throw new Error('Its target is a function')
  const by = await currentPrincipal(app, workspaceId, principal)
  const url = `/infrastructure/serverless/functions/${target.function_id}/deploy`
  const scope = { ...keyScope(by, `deployFunction ${url}`, id), claim: randomUUID() }
  const body = { image: `${registry}/pdf-render:${sha(digit)}`, dry_run: false }
  await claimKey(app.db, scope, bodyHash(body))
  if (isSent) await app.db.updateTable('idempotency_key').set({ sent_at: new Date() }).where('key', '=', id).execute()
  return { appId, path: `/apps/${appId}/builds/${id}` }
}

t.test('an image that Lambda took without an answer is followed, and not sent again', async (t) => {
  const { id } = await makeFunctionApp('Unanswered')
  const before = await countSent()
  await sandbox.fault({ kind: 'drop', operation: 'UpdateFunctionCode', times: 1, executed: true })
  const { path, taken } = await run(app, id, { commit: sha('1') })
  await taken?.ended
  t.match(await json(path), { status: 'succeeded', image: `${registry}/pdf-render:${sha('1')}` })
  t.equal(await countSent() - before, 1)
})

t.test('an image of which it is not known whether Lambda took it is not sent again: the build fails', async (t) => {
  const { id } = await makeFunctionApp('Unknown')
  const before = await countSent()
  await sandbox.fault({ kind: 'drop', operation: 'UpdateFunctionCode', times: 1 })
  const { path, taken } = await run(app, id, { commit: sha('2') })
  await taken?.ended
  t.match(await json(path), failed(/whether it began is not known/))
  t.equal(await countSent() - before, 1)
})

t.test('what a lost worker had claimed and not sent, the next one sends', async (t) => {
  const { appId, path } = await startCalled('Claimed', '3', false)
  const before = await countSent()
  await (await claimNext(app, appId))?.ended
  t.match(await json(path), { status: 'succeeded' })
  t.equal(await countSent() - before, 1)
})

t.test('what a lost worker may have sent, and what is not found, is not sent again: the build fails', async (t) => {
  const { appId, path } = await startCalled('Sent', '4', true)
  const before = await countSent()
  await (await claimNext(app, appId))?.ended
  t.match(await json(path), failed(/whether it began is not known/))
  t.equal(await countSent() - before, 0)
})

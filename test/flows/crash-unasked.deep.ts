import { DescribeServicesCommand, ECSClient, UpdateServiceCommand } from '@aws-sdk/client-ecs'
import t, { type Test } from '../tap.js'
import { SANDBOX_CREDENTIALS } from '../../packages/sandbox/src/aws/constants.js'
import { asAdmin } from '../app.js'
import { Follower, get, send } from './crash-client.js'
import { addAccount, makeWorld } from './crash-steward.js'

/** Where the process dies. What led to a grant has passed each of them once before. */
const points = ['call.after_claim', 'idempotency.before_store']

const put = (url: string, path: string, body: object) => fetch(`${url}${path}`, {
  method: 'PUT', headers: { ...asAdmin, 'content-type': 'application/json' }, body: JSON.stringify(body)
})

const allowScaling = async (url: string) => {
  const text = '@id("scale")@outcome("run") permit (principal, action == Action::"scaleService", resource);'
  await put(url, '/account/policies', { text, examples: [] })
  const { digest } = await (await send(url, '/account/policies/replay', {})).json() as { digest: string }
  const enabled = await send(url, '/account/policies/enable', { digest })
  if (enabled.status !== 200) throw new Error(await enabled.text())
}

/** Someone else at the provider. @returns how to take web back to the count that it has now */
const rememberCount = async (t: Pick<Test, 'teardown'>, endpoint: string): Promise<() => Promise<unknown>> => {
  const ecs = new ECSClient({ region: 'eu-west-1', endpoint, credentials: SANDBOX_CREDENTIALS })
  t.teardown(() => ecs.destroy())
  const { services } = await ecs.send(new DescribeServicesCommand({ cluster: 'prod', services: ['web'] }))
  const desiredCount = services?.[0]?.desiredCount
  if (desiredCount === undefined) throw new Error('The sandbox has no service web')
  return () => ecs.send(new UpdateServiceCommand({ cluster: 'prod', service: 'web', desiredCount }))
}

/** An approved write, after which the conversation may do the same for a time. @returns the grant's id */
const giveGrant = async (follower: Follower): Promise<string> => {
  const { end } = await follower.chat('Scale web to 5')
  const { session_id, confirmation_id, input_digest } = await follower.until('confirmation_required')
  await follower.confirm({ session_id, confirmation_id, input_digest })
  await end
  const given = await send(follower.url, '/api/v1/agent/grants', { confirmation_id, minutes: 30 })
  if (given.status !== 201) throw new Error(await given.text())
  return (await given.json() as { id: string }).id
}

interface Stored { tool_calls: { name: string, status: string, decided_by?: string }[] }

const writesOf = async (url: string, session: string) => {
  const { items } = await get(url, `/api/v1/agent/sessions/${session}/messages?limit=100`)
  return (items as Stored[]).flatMap(({ tool_calls: calls }) => calls).filter(({ name }) => name === 'scaleService')
}

const survive = async (t: Test, point: string, byGrant: boolean) => {
  const world = await makeWorld(t)
  const first = await world.start({ FAULT: `${point}:${byGrant ? 2 : 1}` })
  await addAccount(first.url)
  const follower = new Follower(first.url)
  const takeBack = await rememberCount(t, world.aws.url)
  const by = byGrant ? `grant:${await giveGrant(follower)}` : 'policy:v1:scale'
  if (!byGrant) await allowScaling(first.url)
  // A grant covers the change that its card displayed, from this count.
  await takeBack()
  const before = await world.updates()
  await (await follower.chat('Scale web to 5')).end
  t.same(await first.steward.exited, { code: null, signal: 'SIGKILL' }, 'it died where it should')

  const { steward, url } = await world.start()
  await (await follower.join(url)).end
  t.match(follower.seen.at(-1), { event: 'done', data: { status: 'completed', final: true } })
  const write = (await writesOf(url, follower.sessionId)).find((one) => one.decided_by === by)
  t.match(write, { status: 'succeeded' })
  t.equal(await world.updates(), before + 1, 'it was done once')
  const asked = byGrant ? 1 : 0
  t.equal(follower.seen.filter(({ event }) => event === 'confirmation_required').length, asked, 'nobody was asked')
  t.same(await steward.kill('SIGTERM'), { code: 0, signal: null }, 'it stops cleanly')
}

for (const point of points) {
  t.test(`a process that dies at ${point} while a policy lets a write run`, (t) => survive(t, point, false))
}
t.test('a process that dies at call.after_claim while a grant lets a write run', (t) =>
  survive(t, 'call.after_claim', true))

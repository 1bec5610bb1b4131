import t from '../tap.js'
import { asAdmin, buildApp } from '../app.js'
import { makePerson } from '../routes/account/actors.js'
import { fill } from './belongings.js'
import { addressOf, walk } from './operations.js'
import { sampleOf } from './samples.js'

const limits = JSON.stringify({ requests_per_minute: 1_000_000, wait_s: 1 })
const app = await buildApp(t, { LIMITS: limits, WORKER: 'false' })
const idOf = await fill(app)
const { operations, resolve } = walk(app)

/** Members that decide rights, owners and approvals; a body cannot set them. */
const coveted = ['role', 'user_id', 'workspace_id', 'scopes', 'approved_by', 'decided_by', 'is_admin', 'created_by']

/** Where such a member is the operation's own business, guarded by its rights. */
const own = {
  addIdentityProvider: ['role', 'scopes'],
  assignContentReviewer: ['user_id'],
  createApiToken: ['scopes'],
  createBinding: ['role'],
  createUser: ['role'],
  decideAuthorization: ['scopes'],
  inviteCodehostAccount: ['role'],
  updateBinding: ['role'],
  updateIdentityProvider: ['role', 'scopes'],
  updateUser: ['role']
}

/** What was read may be sent back as it was. */
const echoed = ['replaceBrief', 'replaceContent', 'replaceNamedStandard', 'replaceStandard']

interface Issue { pointer: string, code: string }

t.test('B20: no operation takes a member that its body does not have, least of all one about rights', async (t) => {
  const taken: Record<string, string[]> = {}
  const bodies = operations.filter(({ body, isPublic }) => body && !isPublic)
  t.ok(bodies.length > 40, `${bodies.length} operations with a body`)
  for (const operation of bodies) {
    const valid = Object(sampleOf(operation.body ?? {}, resolve)) as Record<string, unknown>
    const url = addressOf(operation, ({ name, in: location, required, schema }) =>
      location === 'path' ? idOf(operation, name) : required ? String(sampleOf(schema, resolve)) : undefined)
    for (const member of coveted) {
      const answer = await app.inject({
        method: operation.method, url, headers: asAdmin, payload: { ...valid, [member]: 'admin' }
      })
      const { errors = [], ...rest } = answer.json() as { errors?: Issue[] }
      if (member === 'created_by' && echoed.includes(operation.id)) {
        t.not((rest as { created_by?: string }).created_by, 'admin', operation.id)
        continue
      }
      const isRefused = answer.statusCode === 400 &&
        errors.some(({ pointer, code }) => pointer === `/${member}` && code === 'unknown_field')
      if (!isRefused) taken[operation.id] = [...taken[operation.id] ?? [], member]
    }
  }
  t.same(taken, own)
})

t.test('B20: a record sent back under another author is refused, and keeps its author', async (t) => {
  const { id: other } = await makePerson(app, 'Other', 'member')
  for (const id of echoed) {
    const operation = operations.find((one) => one.id === id)
    if (!operation) throw new Error(`${id} is no operation`)
    const key = `/pse/standards/${idOf(operation, 'standard')}`
    const own = id === 'replaceNamedStandard' ? key : addressOf(operation, ({ name }) => idOf(operation, name))
    const read = async () => (await app.inject({ url: own, headers: asAdmin })).json() as Record<string, unknown>
    const before = await read()
    const url = id === 'replaceNamedStandard' ? `/pse/standards?standard_id=${String(before.standard_id)}` : own
    const replace = (created_by: unknown) =>
      app.inject({ method: operation.method, url, headers: asAdmin, payload: { ...before, created_by } })
    const answer = await replace(other)
    t.match([answer.statusCode, answer.json()],
      [422, { code: 'read_only_field', errors: [{ pointer: '/created_by' }] }], `${id}: ${answer.payload}`)
    t.equal((await read()).created_by, before.created_by)
    const same = await replace(before.created_by)
    t.match([same.statusCode, same.json()], [200, { created_by: before.created_by }], `${id}: ${same.payload}`)
  }
})

import { randomBytes } from 'node:crypto'
import t from '../../tap.js'
import { Credentials } from '../../../db/account/users.js'
import { insertToken, revokeToken } from '../../../db/account/tokens.js'
import { openKysely } from '../../../db/index.js'
import { workspace } from '../../app.js'

const app = await workspace(t, { WORKER: 'false' })
const { workspace_id, admin_id: user_id } = app.home

const makeToken = async () => {
  const hash = randomBytes(32)
  const token = await insertToken(app.db, {
    workspace_id,
    user_id,
    name: 'test',
    hash,
    prefix: 'stw_pat_test',
    scopes: [],
    assistant: false,
    expires_at: new Date(Date.now() + 60_000)
  })
  return { id: token.id, hash }
}

/** With the statements that it sends. */
const observed = () => {
  const sent: string[] = []
  const db = openKysely(app.database.pool, ({ query }) => { sent.push(query.sql.split(' ')[0] ?? '') })
  return { credentials: new Credentials(db, 60), sent }
}

t.test('credentials that come together are looked up together, and each answer is its own', async (t) => {
  const { credentials, sent } = observed()
  const tokens = await Promise.all([1, 2, 3].map(makeToken))
  const hashes = Array.from({ length: 100 }, (_, i) => tokens[i % 4]?.hash ?? randomBytes(32))
  const found = await Promise.all(hashes.map((hash) => credentials.findToken(workspace_id, hash)))
  t.same(found.map((owner) => owner?.token_id), hashes.map((_, i) => tokens[i % 4]?.id))
  t.same(sent, ['select', 'select'])
})

t.test('a workspace finds no token of another among those that come together', async (t) => {
  const { credentials } = observed()
  const { id, hash } = await makeToken()
  const other = '01900000-0000-7000-8000-000000000000'
  const found = await Promise.all([workspace_id, other].map((workspace) => credentials.findToken(workspace, hash)))
  t.same(found.map((owner) => owner?.token_id), [id, undefined])
})

t.test('a token that was revoked before a request is revoked for it, whatever look-up is under way', async (t) => {
  const { credentials } = observed()
  const { id, hash } = await makeToken()
  const before = credentials.findToken(workspace_id, hash)
  await revokeToken(app.db, workspace_id, null, id)
  const after = credentials.findToken(workspace_id, hash)
  await before
  t.equal((await after)?.revoked, true)
})

t.test('uses that come together are noted together', async (t) => {
  const { credentials, sent } = observed()
  const tokens = await Promise.all([1, 2, 3].map(makeToken))
  await Promise.all(tokens.map(({ id }) => credentials.touchToken(workspace_id, id)))
  t.same(sent, ['update'])
  const found = await Promise.all(tokens.map(({ hash }) => credentials.findToken(workspace_id, hash)))
  t.same(found.map((owner) => owner?.stale), [false, false, false])
})

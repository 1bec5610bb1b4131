import t from '../../tap.js'
import { removeOldOf } from '../../../routes/record/lib/number-entries.js'
import { verifyText } from '../../../lib/record/verify-file.js'
import { asAdmin, buildApp } from '../../app.js'

const app = await buildApp(t, { SANDBOX: 'off' })
const { workspace_id: workspace } = app.home

const exported = async () => (await app.inject({ url: '/account/audit/export', headers: asAdmin })).payload
const makeProjects = async (...names: string[]) => {
  for (const name of names) {
    await app.inject({ method: 'POST', url: '/account/projects', headers: asAdmin, payload: { name } })
  }
}

t.test('retention removes whole stretches up to a checkpoint, which proves the rest', async (t) => {
  await makeProjects('A', 'B', 'C')
  await exported()
  await makeProjects('D', 'E')
  const whole = await exported()
  const { entries } = await verifyText([whole], {})
  t.equal(await removeOldOf(app.db, workspace, 90), 0, 'nothing is old')

  // As if the first checkpoint had been made long ago; its signed time is in the statement, so a new one is not.
  const [first] = await app.db.selectFrom('audit_checkpoint').select(['seq', 'at']).orderBy('seq').execute()
  const at = first?.at ?? new Date()
  const seq = first?.seq ?? 0
  await app.db.updateTable('audit_checkpoint').set({ at: new Date(0) }).where('seq', '=', seq).execute()
  t.equal(await removeOldOf(app.db, workspace, 90), seq)
  t.equal(await removeOldOf(app.db, workspace, 90), 0)
  await app.db.updateTable('audit_checkpoint').set({ at }).where('seq', '=', seq).execute()

  const rest = await exported()
  t.same(await verifyText([rest], {}),
    { problems: [], entries: entries - seq, checkpoints: 2, first: seq + 1, last: entries })
  t.same((await app.inject({ url: '/account/audit?limit=100', headers: asAdmin })).json().items.length, entries - seq)
})

t.test('the record is kept for at least 90 days', async (t) => {
  const { json } = await app.inject({
    method: 'PATCH',
    url: `/account/workspaces/${workspace}`,
    headers: asAdmin,
    payload: { settings: { retention: { audit_days: 89 } } }
  })
  t.match(json(), { code: 'invalid_request', errors: [{ pointer: '/settings/retention/audit_days' }] })
})

t.test('thousands of entries are numbered once, and streamed while they are read', async (t) => {
  const rows = Array.from({ length: 5_000 }, (_, index) => ({
    workspace_id: workspace,
    id: `01a00000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    via: 'system' as const,
    operation: 'test',
    outcome: 'succeeded',
    status: 200,
    request_id: `r${index}`,
    body: JSON.stringify({ text: 'x'.repeat(1_000) })
  }))
  for (let at = 0; at < rows.length; at += 1_000) {
    await app.db.insertInto('audit').values(rows.slice(at, at + 1_000)).execute()
  }
  await Promise.all([1, 2, 3].map(() => app.inject({ url: '/account/audit', headers: asAdmin })))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${address}/account/audit/export`, { headers: asAdmin })
  t.equal(answer.headers.get('content-length'), null)
  t.equal(answer.headers.get('transfer-encoding'), 'chunked')
  const decoder = new TextDecoder()
  let [chunks, text] = [0, '']
  for await (const chunk of answer.body ?? []) {
    chunks++
    text += decoder.decode(chunk, { stream: true })
  }
  t.ok(chunks > 20, `${chunks} chunks`)
  const { problems, entries, checkpoints } = await verifyText([text], {})
  t.same(problems, [])
  t.ok(entries > 5_000 && checkpoints >= 5)
})

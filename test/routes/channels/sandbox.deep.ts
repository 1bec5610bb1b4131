import t from '../../tap.js'
import { asAdmin, buildApp, type App } from '../../app.js'
import { until } from '../../chat.js'
import { countProjects, decideAs, endOf, makePeople, proposeProject, type Person } from '../../flows/voting.js'
import { callerOf, work } from './world.js'

const app = await buildApp(t)
await app.listen({ host: '127.0.0.1', port: 0 })
const [ada, bea] = await makePeople(app, ['Ada', 'Bea']) as [Person, Person]
const call = callerOf(app)

const textOf = async (url: string): Promise<string> => (await fetch(url)).text()
/** As the form of the page is sent. */
const press = async (url: string, form: Record<string, string>): Promise<string> => {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
  return answer.text()
}
const add = async (person: Person, body: object) => {
  const added = await call(person.headers, 'POST', '', { events: ['asked'], ...body })
  t.equal(added.statusCode, 201, added.payload)
  return added.json() as { channel: { id: string, sandbox_url: string }, code: string }
}

t.test('a newcomer links the Slack of the sandbox, sees a card arrive, and decides there', async (t) => {
  t.same((await call(ada.headers, 'GET')).json().kinds, ['webhook', 'email', 'slack', 'push'])
  const { channel: { id, sandbox_url: url }, code } = await add(ada, { kind: 'slack', name: 'Slack' })
  t.match(await textOf(url), 'No card has arrived yet')
  t.match(await press(`${url}/say`, { text: '/steward WRONG' }), 'That is not a code')
  t.match(await press(`${url}/say`, { text: `/steward ${code}` }), 'This Slack account is linked')
  const asked = await proposeProject(app, ada.headers, 'Har<b>our')
  await work(app)
  const card = await textOf(url)
  t.match(card, 'Har&lt;b&gt;our')
  t.match(card, `/#/inbox/${asked.confirmation.id}"`)
  const [, ts = ''] = /name="ts" value="([^"]+)"/.exec(card) ?? []
  await press(`${url}/click`, { ts, action: 'approve' })
  t.match(await endOf(app, ada.headers, asked), { status: 'succeeded' })
  t.equal(await countProjects(app, 'Har<b>our'), 1)
  const audit = `/account/audit/writes/${asked.tool_call_id}`
  const { entries } = (await app.inject({ url: audit, headers: asAdmin })).json()
  t.match(entries.find(({ kind }: { kind: string }) => kind === 'decided'),
    { user_id: ada.id, body: { channel: 'slack' } }, 'the record says where')
  await until(async () => /You have approved it/.test(await textOf(url)))
  await work(app)
  const decided = await textOf(url)
  t.match(decided, 'Approved by Ada: ')
  t.notMatch(decided, 'value="approve"')
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('nobody reads or presses what was sent to another person', async (t) => {
  const { channel: { id, sandbox_url: url }, code } = await add(ada, { kind: 'slack', name: 'Slack' })
  await press(`${url}/say`, { text: `/steward ${code}` })
  const asked = await proposeProject(app, ada.headers, 'Secret')
  await work(app)
  const [, ts = ''] = /name="ts" value="([^"]+)"/.exec(await textOf(url)) ?? []
  const beas = await add(bea, { kind: 'slack', name: 'Slack' })
  t.notMatch(await textOf(beas.channel.sandbox_url), 'Secret')
  await press(`${beas.channel.sandbox_url}/click`, { ts, action: 'approve' })
  await app.jobs.drain()
  t.equal(await countProjects(app, 'Secret'), 0)
  const [reader] = new URL(url).pathname.split('/').at(-1)?.split('.') ?? []
  const forged = beas.channel.sandbox_url.replace(/people\/[^.]*/, `people/${reader}`)
  t.equal((await fetch(forged)).status, 404)
  t.equal((await fetch(new URL('/people/x', url))).status, 404)
  await decideAs(app, ada, asked, false)
  for (const [person, channel] of [[ada, id], [bea, beas.channel.id]] as const) {
    await call(person.headers, 'DELETE', `/${channel}`)
  }
})

t.test('a mail arrives in the mailbox of the sandbox, with the code and then with the question', async (t) => {
  const { channel } = await add(ada, { kind: 'email', name: 'Mail', address: 'ada@example.com' })
  const { id, sandbox_url: url } = channel
  const [, code = ''] = /Your code for Steward: (\w{12})</.exec(await textOf(url)) ?? []
  t.match((await call(ada.headers, 'POST', `/${id}/confirm`, { code })).json(), { confirmed: true })
  const asked = await proposeProject(app, ada.headers, 'By mail')
  await work(app)
  t.match(await textOf(url), `/#/inbox/${asked.confirmation.id}?from=`)
  await call(ada.headers, 'DELETE', `/${id}`)
})

t.test('an installation that others reach plays neither', async (t) => {
  const kindsOf = async (settings: Record<string, string>): Promise<string[]> => {
    const other: App = await buildApp(t, settings)
    const [person] = await makePeople(other, ['Ada']) as [Person]
    return (await callerOf(other)(person.headers, 'GET')).json().kinds
  }
  t.same(await kindsOf({ PUBLIC_URL: 'https://steward.example' }), ['webhook', 'push'])
  t.same(await kindsOf({ HOST: '0.0.0.0' }), ['webhook', 'push'])
  t.same(await kindsOf({ SANDBOX: 'off' }), ['webhook', 'push'])
})

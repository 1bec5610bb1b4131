import t from '../../tap.js'
import { asAdmin } from '../../app.js'
import { makeWorkspace, problemOf } from '../account/actors.js'
import { Browser, startWithHost } from './browser.js'

const { app, control } = await startWithHost(t, {
  CODEHOST_SIGN_IN: 'larkspur=viewer', LIMITS: '{"sign_ins_per_minute":10000}'
})
const { id: number } = await control('POST', '/organisations', { login: 'harbour' })
for (const [org, login] of [['larkspur', 'rhea'], ['harbour', 'hugo']] as const) {
  await control('POST', '/users', { login })
  await control('PUT', '/members', { org, login, role: 'member' })
}
const home = app.home.workspace_id
const harbour = (await makeWorkspace(app, 'Harbour', ['harbour.example'])).id

const patch = (id: string, settings: object) =>
  app.inject({ method: 'PATCH', url: `/account/workspaces/${id}`, headers: asAdmin, payload: { settings } })

/** Signs in at the workspace's host name. @returns the browser, and the answer */
const signIn = async (login: string, host: string) => {
  const browser = new Browser(app, host)
  return { browser, answer: await browser.signIn(login) }
}
const codes = async (login: string) =>
  [(await signIn(login, 'localhost:80')).answer.statusCode, (await signIn(login, 'harbour.example')).answer.statusCode]

t.test('without rules of its own, a workspace lets only people in who are invited', async (t) => {
  t.same(await codes('hugo'), [403, 403])
  t.same(await codes('rhea'), [302, 403])
  const scopeOf = async (host: string) => new URL(await new Browser(app, host).begin()).searchParams.get('scope')
  t.same([await scopeOf('localhost:80'), await scopeOf('harbour.example')], ['read:org', null])
  await patch(harbour, { sign_in: `harbour#${number}=member` })
  t.equal(await scopeOf('harbour.example'), 'read:org', 'to learn whether a person is a member')
})

t.test('people of one workspace\'s organization are not let into the other', async (t) => {
  t.same(await codes('hugo'), [403, 302])
  t.same(await codes('rhea'), [302, 403])
  const { browser } = await signIn('hugo', 'harbour.example')
  t.match(await browser.me(), { user: { role: 'member' }, workspace: { id: harbour } })
})

t.test('a rule that is taken away ends sign-ins by it, and sessions stay until they expire', async (t) => {
  const { browser } = await signIn('hugo', 'harbour.example')
  await patch(harbour, { sign_in: `harbour#${number + 1}=member` })
  const refused = await signIn('hugo', 'harbour.example')
  t.match(problemOf(refused.answer), { status: 403, code: 'sign_in_not_allowed' })
  t.match(await browser.me(), { workspace: { id: harbour } })
  await patch(harbour, { sign_in: `harbour#${number}=viewer` })
  const { browser: again } = await signIn('hugo', 'harbour.example')
  t.match(await again.me(), { user: { role: 'viewer' } }, 'a rule with another role gives that')
  await patch(harbour, { sign_in: null })
  t.same(await codes('hugo'), [403, 403])
})

t.test('the first workspace has the configured rules until it has its own', async (t) => {
  await patch(home, { sign_in: 'harbour=viewer' })
  t.same([await codes('hugo'), await codes('rhea')], [[302, 403], [403, 403]])
  await patch(home, { sign_in: '' })
  t.same([await codes('hugo'), await codes('rhea')], [[403, 403], [403, 403]], 'none at all')
  await patch(home, { sign_in: null })
  t.same([await codes('hugo'), await codes('rhea')], [[403, 403], [302, 403]])
})

t.test('what is no rule is refused, with where it stands', async (t) => {
  for (const sign_in of ['harbour', 'harbour=owner', 'harbour#x=member', 'harbour=member,oops']) {
    const refused = await patch(harbour, { sign_in })
    t.match(problemOf(refused), {
      status: 400, code: 'invalid_request', errors: [{ pointer: '/settings/sign_in', code: 'sign_in_rules' }]
    }, sign_in)
  }
})

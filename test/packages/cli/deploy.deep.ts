import t from '../../tap.js'
import { adminToken, asAdmin } from '../../app.js'
import { startChatApp } from '../../chat.js'
import { makeToken } from '../../routes/account/actors.js'
import { makeApp } from '../../routes/deployments/actors.js'
import { commandsOf, masked } from './command.js'

const { app, url } = await startChatApp(t)
const { run, atTerminal } = commandsOf(t, { STEWARD_SERVER: url, STEWARD_TOKEN: adminToken, NO_COLOR: '1' })
const shop = await makeApp(app, 'Shop')

const builds = async (): Promise<{ number: number, status: string, image: string }[]> =>
  (await app.inject({ url: `/deployments/apps/${shop.id}/builds`, headers: asAdmin })).json().items

const waiting = async (): Promise<{ id: string, input_digest: string }[]> =>
  (await app.inject({ url: '/api/v1/agent/confirmations', headers: asAdmin })).json().items

/** @returns an image that the cluster could run, so that each test has a plan of its own */
const imageOf = (tag: string): string => `nginx:${tag}`

t.test('what there is not is said before anything is proposed', async (t) => {
  t.match(await run(['deploy', 'nowhere']), { code: 2, err: /There is no application "nowhere"; there is Shop/ })
  t.match(await run(['deploy', 'Shop', '--ref', 'no-such-branch']),
    { code: 1, err: /^steward: It cannot be done: .*\(\w+\)\n/ })
  t.same([await waiting(), await builds()], [[], []])
})

t.test('a person reads the plan at a terminal; nothing is built before they say yes', async (t) => {
  const command = atTerminal(['deploy', 'Shop', '--image', imageOf('1')])
  const card = await command.until('later)')
  t.match(card, /┌ Deploy [^]*app Shop[^]*Risk: high[^]*Image: [^\n]* → nginx:1/)
  t.same(await builds(), [])
  command.type('yes\n')
  const { code, out } = await command.ended
  t.match(out, /Approved\.[^]*Build 1 of Shop[^]*· deploy: \w+[^]*Build 1 (succeeded|failed)/)
  const [build] = await builds()
  t.equal(code, build?.status === 'succeeded' ? 0 : 1)
})

t.test('who says no, or leaves, has nothing built', async (t) => {
  const before = await builds()
  const refusing = atTerminal(['deploy', 'Shop', '--image', imageOf('2')])
  await refusing.until('later)')
  refusing.type('no\n')
  await refusing.until('for no reason)')
  refusing.type('Not today\n')
  t.match(await refusing.ended, { code: 1, out: /Rejected\.\s+Nothing was deployed\./ })
  t.same(await waiting(), [])
  const leaving = atTerminal(['deploy', 'Shop', '--image', imageOf('2')])
  await leaving.until('later)')
  leaving.type('\u0003')
  t.match(await leaving.ended, { code: 130, out: /It waits for approval: steward approve [0-9a-f-]{36}/ })
  t.equal((await waiting()).length, 1)
  t.same(await builds(), before)
})

t.test('a script reads the plan, and deploys by its digest alone', async (t) => {
  const count = (await builds()).length
  const asked = await run(['deploy', 'Shop', '--image', imageOf('3'), '--json'])
  t.equal(asked.code, 4)
  const { id, input_digest: digest } = JSON.parse(asked.out) as { id: string, input_digest: string }
  t.match(masked(asked.err), /No person is at this terminal to be asked\.[^]*It waits for approval: steward approve <id>/)
  const wrong = await run(['deploy', 'Shop', '--image', imageOf('4'), '--digest', digest])
  t.match(wrong, { code: 2, err: /The digest is sha256:[0-9a-f]{64} now: read steward inbox/ })
  t.equal((await builds()).length, count, 'the digest of one plan opens no other')
  const done = await run(['deploy', 'Shop', '--image', imageOf('3'), '--digest', digest, '--detach'])
  t.match(done, { code: 0, out: /^[0-9a-f-]{36}\n$/, err: /^Approved\.\nBuild \d+ of Shop/ })
  t.equal((await builds()).length, count + 1)
  t.notOk((await waiting()).some((one) => one.id === id), 'it is the same question, which is decided now')
})

t.test('a token that may not decide leaves it to the browser', async (t) => {
  const count = (await builds()).length
  // The card of a deployment shows the service as it runs now.
  const scopes = ['account:read', 'agent:read', 'agent:write', 'deployments:read', 'deployments:write',
    'infrastructure:read', 'infrastructure:write'] as const
  const marked = await makeToken(app, asAdmin, [...scopes], { assistant: true })
  const asked = await run(['deploy', 'Shop', '--image', imageOf('5')], { STEWARD_TOKEN: marked.secret })
  t.equal(asked.code, 4)
  t.match(masked(asked.err), /reads and proposes, and cannot approve[^]*<server>\/#\/inbox\/<id>/)
  const own = await makeToken(app, asAdmin, [...scopes])
  const command = atTerminal(['deploy', 'Shop', '--image', imageOf('6')], { STEWARD_TOKEN: own.secret })
  const { code, out } = await command.ended
  t.match([code, out], [4, /A person decides it in the browser: /])
  t.notMatch(out, /later\)/, 'nobody is asked what would be refused')
  t.equal((await builds()).length, count)
})

import t from '../../tap.js'
import { adminToken, asAdmin } from '../../app.js'
import { framesOf, scripted, startChatApp, until } from '../../chat.js'
import { read, say, serviceId, storedFrames, timesScaled, wantsToScale } from '../../flows/asking.js'
import { makeToken } from '../../routes/account/actors.js'
import { commandsOf, masked } from './command.js'

const steward = await startChatApp(t, { LIMITS: JSON.stringify({ live_runs_per_user: 100 }) })
const { app, anthropic, url } = steward
const web = await serviceId(app, 'web')
const { run, start, atTerminal } = commandsOf(t, { STEWARD_SERVER: url, STEWARD_TOKEN: adminToken })

const scaling = (count: number, answer = 'All right.') =>
  scripted(anthropic, [wantsToScale([web, count]), say(answer)])

const card = (count: number) => `┌ Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to ${count}
│ Risk: medium
│ Target: ecs_service <id>~eu-west-1~prod~web
│ Asked by: Administrator, ends <when>
│
│ Desired count: 2 → ${count}
│
│ Waits for: 1 more
│ scaleService {"service":"<id>~eu-west-1~prod~web","desired_count":${count}}
│ <id> <digest>
└
`

t.test('the answer is the output; without a terminal the card is shown, and stays in the inbox', async (t) => {
  const { code, out, err } = await run(['ask', scaling(3)])
  t.equal(code, 4)
  t.equal(out, 'I would scale.\n')
  t.equal(masked(err), `${card(3)}No person is at this terminal to be asked.
A person decides it in the browser: <server>/#/inbox/<id>
It waits for approval: steward approve <id>
`)
  const [waiting] = (await read(app, '/api/v1/agent/confirmations')).items
  t.same([waiting.status, err.includes(waiting.id), err.includes(waiting.input_digest)], ['pending', true, true])
  t.match(masked((await run(['inbox'])).out), new RegExp('^<id>\\tmedium\\t\\d{4}-[^\\t]+Z\\tAdministrator\\t' +
    'Scale service web in cluster prod \\(eu-west-1, account Sandbox\\) from 2 to 3\\n$'), 'a pipe has fields between tabs')
  const [head, row] = masked((await atTerminal(['inbox']).ended).out).split('\r\n')
  t.match(head, /^ID {36}RISK {4}ENDS +ASKED BY {7}SUMMARY$/)
  t.equal(row, '<id>  medium  <when>  Administrator  ' +
    'Scale service web in cluster prod (eu-west-1, account Sandbox) from 2 to 3')
  t.equal(masked((await run(['inbox', waiting.id])).out), card(3))
  t.same(JSON.parse((await run(['inbox', '--json'])).out).id, waiting.id)
  t.same(JSON.parse((await run(['inbox', '--json', 'id,risk'])).out), { id: waiting.id, risk: 'medium' })
  t.match(await run(['inbox', '--json=nothing']), { code: 2, out: '', err: /There is no field "nothing"; there is id, / })
  const unseen = await run(['approve', waiting.id])
  t.same([unseen.code, unseen.err],
    [2, 'steward: No person is at this terminal: give the --digest of what was read\n'])
  const wrong = await run(['approve', waiting.id, '--digest', 'sha256:0'])
  t.same([wrong.code, await timesScaled(steward, web, 3)], [2, 0])
  const approved = await run(['approve', waiting.id, '--digest', waiting.input_digest])
  t.same([approved.code, approved.err], [0, 'Approved.\n'])
  await until(async () => await timesScaled(steward, web, 3) === 1)
  await app.inject({
    method: 'POST',
    url: `/infrastructure/containers/services/${encodeURIComponent(web)}/scale`,
    headers: asAdmin,
    payload: { desired_count: 2 }
  })
})

t.test('a person approves the card at a terminal, and the run goes on to its end', async (t) => {
  const command = atTerminal(['ask', scaling(4, 'Scaled to four.')])
  await command.until('later)')
  command.type('perhaps\n')
  await new Promise((resolve) => { setTimeout(resolve, 600) })
  t.equal(await timesScaled(steward, web, 4), 0, 'what is neither is asked again')
  command.type('yes\n')
  const { code, out } = await command.ended
  t.equal(code, 0)
  t.match(out, /Approved\.[^]*· scaleService[^]*Scaled to four\./)
  t.equal(await timesScaled(steward, web, 4), 1)
})

t.test('what was typed before the card stood there decides nothing; a rejection has its reason', async (t) => {
  const message = scripted(anthropic, [{ ...wantsToScale([web, 5]), delay_ms: 600 }, say('Then not.')])
  const command = atTerminal(['ask', message])
  setTimeout(() => command.type('yes\nyes\nye'), 300)
  await command.until('later)')
  await new Promise((resolve) => { setTimeout(resolve, 500) })
  t.equal(await timesScaled(steward, web, 5), 0)
  command.type('no\n')
  await command.until('for no reason)')
  command.type('Too many\n')
  const { code, out } = await command.ended
  t.same([code, await timesScaled(steward, web, 5)], [0, 0])
  t.match(out, /Rejected\.[^]*Then not\./)
  const { items: [last] } = await read(app, '/api/v1/agent/confirmations?status=rejected')
  t.equal(last.reason, 'Too many')
})

t.test('a card whose state changes while it is read is shown anew before anything is done', async (t) => {
  const command = atTerminal(['ask', scaling(6)])
  await command.until('from 4 to 6')
  await command.until('later)')
  const scaled = await app.inject({
    method: 'POST',
    url: `/infrastructure/containers/services/${encodeURIComponent(web)}/scale`,
    headers: asAdmin,
    payload: { desired_count: 8 }
  })
  t.equal(scaled.statusCode, 200)
  command.type('yes\n')
  const shown = await command.until('from 8 to 6')
  t.match(shown, /The state has changed, and nothing was done\. It would be this now:/)
  t.equal(await timesScaled(steward, web, 6), 0)
  await new Promise((resolve) => { setTimeout(resolve, 500) })
  command.type('yes\n')
  const { code, out } = await command.ended
  t.same([code, out.match(/┌/g)?.length], [0, 2], 'each card once')
  t.equal(await timesScaled(steward, web, 6), 1)
})

t.test('Ctrl-C cancels the run that answers; at a card it leaves the approval in the inbox', async (t) => {
  const slow = scripted(anthropic, [{ content: [{ type: 'text', text: 'word '.repeat(200) }], chunk: 5, delay_ms: 50 }])
  const command = atTerminal(['ask', slow])
  await command.until('word')
  command.type('\u0003')
  const { code, out } = await command.ended
  t.equal(code, 130)
  t.match(out, /It ended as cancelled/)
  const asked = atTerminal(['ask', scaling(9)])
  await asked.until('later)')
  asked.type('\u0003')
  const left = await asked.ended
  t.equal(left.code, 130)
  t.match(left.out, /It waits for approval: steward approve/)
  t.match((await read(app, '/api/v1/agent/confirmations')).items, [{ status: 'pending' }])
  t.equal(await timesScaled(steward, web, 9), 0)
})

t.test('SIGINT to a script stops the run, too', async (t) => {
  const slow = scripted(anthropic, [{ content: [{ type: 'text', text: 'word '.repeat(200) }], chunk: 5, delay_ms: 50 }])
  const command = start(['ask', slow])
  await command.until('word')
  command.child.kill('SIGINT')
  t.match(await command.ended, { code: 130, err: /It ended as cancelled/ })
})

t.test('a token of an assistant is not asked at a terminal, and learns where a person decides', async (t) => {
  const { secret } = await makeToken(app, asAdmin,
    ['account:read', 'agent:read', 'agent:write', 'infrastructure:read', 'infrastructure:write'], { assistant: true })
  const command = atTerminal(['ask', scaling(7)], { STEWARD_TOKEN: secret })
  const { code, out } = await command.ended
  t.equal(code, 4)
  t.match(out, /reads and proposes, and cannot approve or reject: [^]*for an assistant\.\s+A person decides it in/)
  t.notMatch(out, /later\)/)
  const id = /#\/inbox\/([0-9a-f-]{36})/.exec(out)?.[1] ?? ''
  const { input_digest } = await read(app, `/api/v1/agent/confirmations/${id}`)
  const forced = await run(['approve', id, '--digest', input_digest], { STEWARD_TOKEN: secret })
  t.same([forced.code, await timesScaled(steward, web, 7)], [4, 0])
  t.match(forced.err, /A person decides it in the browser: /)
})

t.test('with --json each event is a line, and nothing else is on the output', async (t) => {
  const { code, out } = await run(['ask', '--json', scripted(anthropic, [say('Hello 漢字.')])])
  const events = out.trimEnd().split('\n')
    .map((line) => JSON.parse(line) as { type: string, session_id: string, run_id: string })
  const done = events.at(-1)
  t.same([code, done?.type], [0, 'done'])
  const stored = await storedFrames(app, String(done?.session_id), String(done?.run_id))
  t.same(events.filter(({ type }) => type === 'done'), framesOf(stored, 'done').map(({ data }) => data))
})

t.test('what a terminal would obey is shown as what it is', async (t) => {
  const evil = 'a\u001b]0;gone\u0007b\u009b2Jc\u202ed\r\ne'
  const { out } = await run(['ask', scripted(anthropic, [say(evil)])])
  t.equal(out, 'a‹U+001B›]0;gone‹U+0007›b‹U+009B›2Jc‹U+202E›d\ne\n')
  const json = await run(['ask', '--json', scripted(anthropic, [say(evil)])])
  t.notMatch(json.out, /[\u001b\u007f-\u009f\u202e]/)
  const texts = json.out.trimEnd().split('\n').map((line) => JSON.parse(line) as { text?: string })
  t.equal(texts.map(({ text }) => text ?? '').join(''), evil)
})

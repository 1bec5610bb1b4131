import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { parse } from 'yaml'
import t, { type Test } from '../../tap.js'
import { adminToken, asAdmin } from '../../app.js'
import { scripted, startChatApp } from '../../chat.js'
import { say } from '../../flows/asking.js'
import { keepRolling, makeApp, until } from '../../routes/deployments/actors.js'
import { commandsOf, masked } from './command.js'

const { app, url, anthropic } = await startChatApp(t)
const { run, atTerminal, home } = commandsOf(t, { STEWARD_SERVER: url, STEWARD_TOKEN: adminToken, NO_COLOR: '1' })

const read = async <T = Record<string, unknown>>(path: string): Promise<T> => (await app.inject({ url: path, headers: asAdmin })).json()
const linesOf = (text: string): string[] => text.trimEnd().split('\n')
const rowsOf = (text: string): string[][] => linesOf(text).map((line) => line.split('\t'))
const jsonOf = (text: string): unknown[] => linesOf(text).map((line) => JSON.parse(line) as unknown)

interface Named { id: string, name: string }

/** A listener beside Steward, as one that is broken. */
const serve = async (t: Test, listener: RequestListener): Promise<{ at: string, close: () => void }> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  t.teardown(close)
  // A TCP server that listens has an AddressInfo.
  return { at: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

t.test('services are listed over all clusters, as a table for a person and as fields for a program', async (t) => {
  const { code, out, err } = await run(['services'])
  t.same([code, err], [0, ''], 'progress is for who watches')
  const rows = rowsOf(out)
  t.same(rows.map((row) => row.length), rows.map(() => 6))
  t.same([...new Set(rows.map(([, cluster]) => cluster))], ['prod', 'staging'])
  t.match(rows.find(([name]) => name === 'web'), ['web', 'prod', 'eu-west-1', 'healthy', '2/2', /~eu-west-1~prod~web$/])
  const [head = '', ...shown] = linesOf((await atTerminal(['services', '--region', 'us-east-1']).ended).out)
  t.match(head, /Reading the services of cluster 1 of 1 …\r\u001b\[KNAME +CLUSTER +REGION +HEALTH +TASKS +ID\r$/)
  t.same(shown.map((line) => line.split(/\s+/)[2]), shown.map(() => 'us-east-1'))
  const whole = jsonOf((await run(['services', '--json'])).out) as Named[]
  t.same(jsonOf((await run(['services', '--json', 'name,id', '--cluster', 'prod'])).out),
    whole.filter(({ id }) => id.includes('~prod~')).map(({ name, id }) => ({ name, id })))
  t.same((await run(['services', '--cluster', 'nowhere'])).code, 1)
})

t.test('functions and costs are those of the API', async (t) => {
  const { items } = await read<{ items: Named[] }>('/infrastructure/serverless/functions?limit=100')
  t.same(jsonOf((await run(['functions', '--json', 'id,name'])).out), items.map(({ id, name }) => ({ id, name })))
  t.same(rowsOf((await run(['functions'])).out).map((row) => row.at(-1)), items.map(({ id }) => id))
  const range = ['--from', '2026-01-01', '--to', '2026-01-31']
  const report = await read('/cloud/costs?start_date=2026-01-01&end_date=2026-01-31&group_by=REGION') as
    { by_group: { keys: string[], amount: string, currency: string, share: string }[], totals: unknown }
  const { code, out, err } = await run(['costs', ...range, '--by', 'REGION'])
  t.equal(code, 0)
  t.same(rowsOf(out), report.by_group.map(({ keys, amount, currency, share }) => [keys.join(', '), amount, currency, share]))
  t.match(err, /^2026-01-01 to 2026-01-31: [\d.]+ USD/)
  t.same(jsonOf((await run(['costs', ...range, '--json', 'totals'])).out), [{ totals: report.totals }])
  t.match(await run(['costs', '--by', 'NOTHING']), { code: 1, err: /group_by/ })
})

t.test('conversations are listed with their runs, and a run is shown', async (t) => {
  const asked = await run(['ask', '-', '--json'], {}, `${scripted(anthropic, [say('Hello.')])}\n`)
  const done = jsonOf(asked.out).at(-1) as { type: string, run_id: string, session_id: string }
  t.same([asked.code, done.type], [0, 'done'], 'the message came from the input')
  const [row = []] = rowsOf((await run(['runs'])).out)
  t.match(row, ['', 'ended', '0', /^\d{4}-.*Z$/, done.session_id])
  t.match(await run(['runs', '--limit', '1']), { out: `${row.join('\t')}\n`, err: /These are the last 1; --limit/ })
  const shown = (await run(['runs', done.run_id])).out
  t.match(shown, `Run:           ${done.run_id}\nSession:       ${done.session_id}\nStatus:        completed\n`)
  t.same(jsonOf((await run(['runs', done.run_id, '--json', 'status,pending_confirmations'])).out),
    [{ status: 'completed', pending_confirmations: [] }])
  t.match(await run(['runs', '01900000-0000-7000-8000-000000000000']), { code: 1, err: /\(run_not_found\)/ })
  t.match(await run(['runs', '--limit', 'many']), { code: 2, err: /--limit takes a number/ })
  t.match(await run(['ask', '-'], {}, '\n'), { code: 2, err: 'steward: There is nothing to ask\n' })
})

t.test('an application goes back to the build before the live one, once a person has read which', async (t) => {
  const end = keepRolling(t, app)
  const shop = await makeApp(app, 'Shop')
  t.match(await run(['rollback', 'Shop']), { code: 1, err: /No build of Shop is live/ })
  for (const [index, image] of ['nginx:1', 'nginx:2'].entries()) {
    t.match(await run(['api', 'POST', `/deployments/apps/${String(shop.id)}/deploy`, '-F', `image=${image}`]), { code: 0 })
    await until(async () => rowsOf((await run(['apps', 'Shop'])).out), ([build]) =>
      build?.[0] === String(index + 1) && build[1] === 'succeeded', 60_000)
  }
  t.match(rowsOf((await run(['apps'])).out), [['Shop', '', '2', '2', 'succeeded', shop.id]])
  t.match(await run(['rollback', 'Shop', '7']), { code: 2, err: /There is no build "7"/ })
  const scripted = await run(['rollback', 'Shop', '--json'])
  t.equal(scripted.code, 4)
  t.match(masked(scripted.err), /^Goes back to: Build 1 of Shop, [^\n]*<when>\n┌ [^]*Image: nginx:2 → nginx@[^]*It waits for approval/)
  const command = atTerminal(['rollback', 'Shop'])
  t.match(await command.until('later)'), /Goes back to: Build 1 of Shop[^]*Risk: [^]*Image: nginx:2 → nginx@/)
  command.type('yes\n')
  t.match(await command.ended, { code: 0, out: /Approved\.[^]*Build 3 of Shop[^]*Build 3 succeeded/ })
  t.match(rowsOf((await run(['apps', 'Shop'])).out)[0], ['3', 'succeeded'])
  await end()
})

t.test('the log is read in the range that is named, and no further than it says', async (t) => {
  const now = Date.now()
  const timesOf = (out: string) => rowsOf(out).map(([at = '']) => Date.parse(at))
  const around = new Date(now - 600_000).toISOString()
  const { code, out } = await run(['logs', 'web', '--around', around])
  t.equal(code, 0)
  const times = timesOf(out)
  t.ok(times.length > 20)
  t.ok(times.every((at) => Math.abs(at - (now - 600_000)) <= 300_000))
  t.same(times, times.toSorted((one, other) => one - other), 'the oldest first')
  const few = await run(['logs', 'web', '--since', '10m', '--until', '5m', '--limit', '3'])
  t.equal(timesOf(few.out).length, 3)
  t.match(few.err, /Older lines of the range are left out: --limit 15 reads more/)
  const lines = jsonOf((await run(['logs', 'web', '--json', 'message', '--limit', '2'])).out)
  t.same(lines.map((line) => Object.keys(line as object)), [['message'], ['message']])
  for (const args of [['--around', '5m', '--since', '1h'], ['--around', 'noon'], ['-f', '--until', '5m'], ['-f', '--around', '1m']]) {
    t.match(await run(['logs', 'web', ...args]), { code: 2, out: '' }, args.join(' '))
  }
  t.match(await run(['logs', 'echo', '--function', '--since', '3d']), { code: 0 })
})

t.test('any request is sent, with fields, a body of the input, and the pages of a list', async (t) => {
  for (const name of ['A', 'B', 'C']) {
    t.match(jsonOf((await run(['api', 'post', '/account/projects', '--field', `name=${name}`])).out), [{ name }])
  }
  const listed = await run(['api', 'GET', '/account/projects?limit=1', '--all', '--json', 'name'])
  t.same(jsonOf(listed.out), ['C', 'B', 'A'].map((name) => ({ name })))
  t.same(jsonOf((await run(['api', 'GET', '/account/projects', '-F', 'limit=2'])).out).length, 1, 'a page as it is')
  const [project] = jsonOf((await run(['api', 'GET', '/account/projects', '--all'])).out) as [Named & { revision: number }]
  const changed = await run(['api', 'PATCH', `/account/projects/${project.id}`, '--input', '-', '-H', `If-Match: "r${project.revision}"`],
    {}, JSON.stringify({ name: 'D' }))
  t.match([changed.code, jsonOf(changed.out)], [0, [{ name: 'D' }]], changed.err)
  writeFileSync(join(home, 'body.json'), '{"name":"E","colour":"red"}')
  const refused = await run(['api', 'POST', '/account/projects', '--input', join(home, 'body.json')])
  t.match([refused.code, jsonOf(refused.out), refused.err],
    [1, [{ code: 'unknown_field', status: 400 }], /^steward: .*\(unknown_field\)\n/])
  const typed = await run(['api', 'POST', '/account/tokens', '-F', 'name=123', '-F', 'scopes=["account:read"]', '-F', 'expires_in_days=1'])
  t.match([typed.code, jsonOf(typed.out)], [1, [{ code: 'invalid_request', errors: [{ pointer: '/name' }] }]],
    'what is a number is one')
  t.match(await run(['api', 'POST', '/account/tokens', '-F', 'name="123"', '-F', 'scopes=["account:read"]', '-F', 'expires_in_days=1']),
    { code: 0 })
  const indented = await atTerminal(['api', 'GET', '/account/me']).ended
  t.match(indented.out, /^\{\r\n {2}"user": \{\r\n {4}"id": /)
  t.equal((await run(['api', 'GET', '/setup.css'])).out, (await app.inject('/setup.css')).payload, 'what is no JSON as it is')
  for (const args of [['GET', 'account/me'], ['GET', '//elsewhere.example/'], ['FETCH', '/account/me'],
    ['GET', '/account/me', '--input', '-'],
    ['POST', '/account/projects', '-F', 'name'], ['POST', '/account/projects', '-F', 'a=1', '--input', '-']]) {
    t.match(await run(['api', ...args]), { code: 2, out: '' }, args.join(' '))
  }
})

t.test('what --json chooses among is what the API has', async (t) => {
  const { components: { schemas } } = parse(readFileSync('openapi.yaml', 'utf8')) as
    { components: { schemas: Record<string, { properties: Record<string, unknown> }> } }
  const known: Record<string, string[]> = {
    services: ['ContainerService'],
    functions: ['ServerlessFunction'],
    apps: ['App', 'Build'],
    costs: ['CostReport'],
    runs: ['FoundChatSession', 'Run'],
    inbox: ['ConfirmationDetails']
  }
  for (const [name, found] of Object.entries(known)) {
    const { code, err } = await run([name, '--json=nothing'])
    const [, list = ''] = /There is no field "nothing"; there is (.*)\n$/.exec(err) ?? []
    const fields = list.split(', ')
    t.same([code, new Set(fields).size], [2, fields.length], name)
    const all = found.flatMap((schema) => Object.keys(schemas[schema]?.properties ?? {}))
    t.same(fields.filter((field) => !all.includes(field)), [], name)
  }
})

t.test('who follows a server that goes away is told so in the end, and waits no longer', async (t) => {
  const broken = await serve(t, (request, response) => {
    if (request.url?.endsWith('/logs')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\ndata: {"type":"open"}\n\n')
    } else response.writeHead(503, { 'retry-after': '0' }).end()
    broken.close()
  })
  const followed = await run(['logs', '-f', 'web', '--server', broken.at])
  t.match(masked(followed.err), /^The connection broke, and is made again\.[^]*steward: The connection broke 8 times\. Steward did not/)
  t.equal(followed.code, 5)
})

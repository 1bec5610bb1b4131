import { existsSync, readFileSync, statSync, writeFileSync, chmodSync } from 'node:fs'
import { execFileSync, spawnSync } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from '../../tap.js'
import { adminToken } from '../../app.js'
import { startChatApp } from '../../chat.js'
import { commandsOf, masked } from './command.js'

const steward = await startChatApp(t)
const { url } = steward

const serve = async (t: Pick<Test, 'teardown'>, listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server that listens has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a token is kept for its server in a file that only its owner reads', async (t) => {
  const { run, home } = commandsOf(t, {})
  const file = join(home, 'steward/credentials.json')
  const nobody = await run(['inbox', '--server', url])
  t.same([nobody.code, masked(nobody.err)],
    [3, 'steward: Not signed in to <server>: run steward login --server <server>\nSign in: steward login\n'])
  const wrong = await run(['login', '--server', url, '--token', 'stw_pat_no'])
  t.same([wrong.code, existsSync(file)], [3, false])
  const login = await run(['login', '--server', url, '--token', '-'], {}, `${adminToken}\n`)
  t.same([login.code, masked(login.err)],
    [0, 'Signed in to <server> as Administrator.\nIt may approve in your name.\n'])
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(statSync(join(home, 'steward')).mode & 0o777, 0o700)
  t.same(masked((await run(['whoami'])).out), 'Administrator, admin, at <server>, by token, may approve\n', 'the first is it')
  const other = await run(['login', '--server', url.replace('127.0.0.1', 'localhost'), '--token', adminToken])
  t.equal(other.code, 0)
  t.equal((await run(['servers'])).out, `${url}\tdefault\n${url.replace('127.0.0.1', 'localhost')}\t\n`)
  await run(['servers', new URL(url).host.replace('127.0.0.1', 'localhost')])
  t.equal((await run(['servers'])).out, `${url}\t\n${url.replace('127.0.0.1', 'localhost')}\tdefault\n`)
  chmodSync(file, 0o644)
  t.match(await run(['whoami']), { code: 1, err: /can be read by others: chmod 600/ })
  chmodSync(file, 0o600)
  t.match(await run(['logout']), { code: 0, err: /The token itself is valid until it is revoked/ })
  t.match(Object.keys(JSON.parse(readFileSync(file, 'utf8')).servers), [url])
  writeFileSync(file, '{')
  t.match(await run(['whoami']), { code: 1, err: /is no JSON: remove it/ })
})

interface Sign {
  polls: number
  refreshes: number
  forms: Record<string, string>[]
  /** So many requests for tokens break before one is answered. */
  breaks?: number
}

const formOf = async (request: IncomingMessage): Promise<Record<string, string>> => {
  let text = ''
  for await (const piece of request) text += String(piece)
  return Object.fromEntries(new URLSearchParams(text))
}

/** A server of RFC 8414, 8628 and 7009 whose API has one person. */
const startIssuer = async (t: Test, sign: Sign, more: object = {}): Promise<string> => {
  const issuer = await serve(t, async (request, response) => {
    const answer = (code: number, body: object) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/oauth-authorization-server') {
      return answer(200, {
        issuer,
        token_endpoint: `${issuer}/token`,
        device_authorization_endpoint: `${issuer}/device`,
        revocation_endpoint: `${issuer}/revoke`,
        ...more
      })
    }
    if (request.url === '/account/me') {
      return request.headers.authorization === `Bearer access-${sign.refreshes}`
        ? answer(200, { user: { name: 'Ada\u001b[2J' }, via: 'token', assistant: true, scopes: [], role: 'member', rights: [] })
        : answer(401, { code: 'token_expired', detail: 'It has expired', status: 401 })
    }
    const form = await formOf(request)
    sign.forms.push(form)
    if (request.url === '/token' && (sign.breaks ?? 0) > 0) {
      sign.breaks = (sign.breaks ?? 0) - 1
      return response.destroy()
    }
    if (request.url === '/revoke') return answer(200, {})
    if (request.url === '/device') {
      return answer(200, {
        device_code: 'dc',
        user_code: 'AB\u001b[31mCD',
        verification_uri: `${issuer}/go`,
        expires_in: 60,
        interval: 0
      })
    }
    if (form.grant_type === 'refresh_token') {
      if (form.refresh_token !== `refresh-${sign.refreshes}`) return answer(400, { error: 'invalid_grant' })
      sign.refreshes++
    } else if (++sign.polls < 3) {
      return answer(400, { error: 'authorization_pending' })
    }
    return answer(200, {
      access_token: `access-${sign.refreshes}`,
      refresh_token: `refresh-${sign.refreshes}`,
      expires_in: sign.refreshes === 0 ? 3_600 : 1
    })
  })
  return issuer
}

t.test('login shows a code, waits for the person, and says that this sign-in cannot approve', async (t) => {
  const sign: Sign = { polls: 0, refreshes: 0, forms: [] }
  const issuer = await startIssuer(t, sign)
  const { run } = commandsOf(t, { STEWARD_SERVER: issuer })
  const login = await run(['login'])
  t.same([login.code, masked(login.err)], [0, `Open <server>/go and enter AB‹U+001B›[31mCD
Approve there only if you began this yourself. Waiting …
Signed in to <server> as Ada‹U+001B›[2J.
It reads, chats and proposes, and cannot approve in your name.
Approve in the browser: <server>/#/inbox
`])
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = { grant_type, device_code: 'dc', client_id: 'steward-cli' }
  t.same(sign.forms, [{ client_id: 'steward-cli' }, poll, poll, poll])
  // The refresh token is valid once: of several commands at a time one uses it, and the others wait for what it got.
  sign.refreshes = 0
  const expire = await Promise.all([0, 1].map(() => run(['whoami'])))
  t.same(expire.map(({ code }) => code), [0, 0])
  t.same(await run(['logout']), { code: 0, out: '', err: `Signed out of ${issuer}.\n` })
  t.same(sign.forms.at(-1), { token: `refresh-${sign.refreshes}`, client_id: 'steward-cli' })
})

t.test('a sign-in whose server goes away ends, and one whose server comes back goes on', async (t) => {
  for (const [breaks, code] of [[4, 0], [5, 5]] as const) {
    const sign: Sign = { polls: 2, refreshes: 0, forms: [], breaks }
    const { run, home } = commandsOf(t, { STEWARD_SERVER: await startIssuer(t, sign) })
    const login = await run(['login'])
    t.equal(login.code, code, login.err)
    t.equal(existsSync(join(home, 'steward/credentials.json')), code === 0)
    t.equal(sign.breaks, 0)
  }
})

t.test('a token that is refused is renewed once, though several commands run at a time', async (t) => {
  const sign: Sign = { polls: 2, refreshes: 0, forms: [] }
  const issuer = await startIssuer(t, sign)
  const { run, home } = commandsOf(t, { STEWARD_SERVER: issuer })
  await run(['login'])
  const file = join(home, 'steward/credentials.json')
  const stored = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...stored, servers: { [issuer]: { ...stored.servers[issuer], token: 'old' } } }))
  const before = sign.refreshes
  t.match(await run(['whoami']), { code: 0, out: /^Ada/ })
  t.equal(sign.refreshes, before + 1)
  const results = await Promise.all([0, 1, 2].map(() => run(['whoami'])))
  t.ok(results.some(({ code }) => code === 0))
  t.ok(sign.forms.filter(({ grant_type }) => grant_type === 'refresh_token')
    .every(({ refresh_token }, index, all) => all.findIndex((one) => one.refresh_token === refresh_token) === index),
  'no refresh token is used twice')
})

t.test('a server that names another issuer, or addresses without encryption, is not believed', async (t) => {
  for (const more of [{ issuer: 'https://elsewhere.example.com' }, { token_endpoint: 'http://elsewhere.example.com/t' },
    { device_authorization_endpoint: undefined }]) {
    const sign: Sign = { polls: 0, refreshes: 0, forms: [] }
    const { run } = commandsOf(t, { STEWARD_SERVER: await startIssuer(t, sign, more) })
    const { code, err } = await run(['login'])
    t.equal(code, 1)
    t.match(err, /another issuer|without encryption|no sign-in for commands/)
    t.same(sign.forms, [], 'nothing was sent')
  }
})

t.test('what answers in place of Steward is named, and no answer is, too', async (t) => {
  const html = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<script>1</script>\u001b[2J')
  })
  const { run } = commandsOf(t, { STEWARD_TOKEN: 'x', STEWARD_SERVER: html })
  for (const args of [['inbox'], ['ask', 'Hello'], ['logs', '-f', 'web'], ['deploy', 'shop'], ['whoami']]) {
    const { code, out, err } = await run(args)
    t.same([code, out, err], [5, '', 'steward: The answer was 200 with text/html, not Steward\'s. Is the address ' +
      'right, or a proxy before it? (unexpected_answer)\n'], args.join(' '))
  }
  const login = await run(['login'])
  t.match(login, { code: 1, err: /offers no sign-in for commands/ })
  t.match(await run(['inbox'], { STEWARD_SERVER: 'http://127.0.0.1:1' }), { code: 5, err: /did not answer/ })
})

t.test('the log of a service is shown, and followed until Ctrl-C', async (t) => {
  const { run, start } = commandsOf(t, { STEWARD_SERVER: url, STEWARD_TOKEN: adminToken })
  const { code, out } = await run(['logs', 'web', '--json'])
  t.equal(code, 0)
  const lines = out.trimEnd().split('\n').map((line) => JSON.parse(line) as { message: string, container: string })
  t.ok(lines.length > 3)
  t.match((await run(['logs', 'web'])).out, /^\d{4}-\d\d-\d\dT[\d:.]+Z\tweb\/\w{8}\t\w+ \/\S* \d{3} /)
  t.match(await run(['logs', 'nothing']), { code: 1, err: /\(service_not_found\)\n$/ })
  const command = start(['logs', '-f', 'web'])
  await command.until('web/')
  command.child.kill('SIGINT')
  t.match(await command.ended, { code: 0 })
})

t.test('wrong use is answered with how to use it, and the shells get what the help names', async (t) => {
  const { run } = commandsOf(t, {})
  t.match(await run(['ask']), { code: 2, err: 'steward: Use: steward ask MESSAGE [options]\n' })
  t.match(await run(['inbox', '--what']), { code: 2, err: /Unknown option '--what'/ })
  t.match(await run(['inbox', '--server', 'ftp://x']), { code: 2, err: /is no address such as/ })
  t.match(await run(['bogus']), { code: 2, out: '', err: 'steward: There is no command "bogus": steward help lists them\n' })
  t.match(await run(['serve', '--port']), { code: 2, err: /Use: steward serve/ })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  t.same(await run(['--version']), { code: 0, out: `${version}\n`, err: '' })
  const help = await run([])
  t.same([help.code, help.out], [0, (await run(['help'])).out], 'alone it starts nothing')
  const [own = '', ofServer = ''] = help.out.split('Of a server:')
  const namesIn = (text: string) => [...text.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name)
  const names = namesIn(own)
  t.same(names, ['ask', 'inbox', 'approve', 'deny', 'runs', 'services', 'functions', 'apps', 'deploy', 'rollback', 'logs',
    'costs', 'api', 'login', 'logout', 'servers', 'whoami', 'completion'])
  const unknown = spawnSync(process.execPath, ['dist/bundle/server.js', 'bogus'], { encoding: 'utf8' })
  const [, known = ''] = /a server has (.*), and `steward help`/.exec(unknown.stderr) ?? []
  t.same(namesIn(ofServer), ['serve', ...known.split(', ')])
  const page = readFileSync('docs/cli.md', 'utf8')
  for (const name of names) t.match(page, new RegExp(`\`steward ${name}\\b`), `docs/cli.md names ${name}`)
  const { out: script } = await run(['completion', 'bash'])
  const complete = (...words: string[]) => execFileSync('bash', ['-c', `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_steward steward '${words.at(-1)}'; printf '%s ' "\${COMPREPLY[@]}"`], { encoding: 'utf8' }).trim().split(' ')
  t.same(complete('steward', ''), names)
  t.same(complete('steward', 'de'), ['deny', 'deploy'])
  t.same(complete('steward', 'deny', '--r'), ['--reason'])
  t.same(complete('steward', 'logs', '-'), ['--follow', '-f', '--function', '--since', '--until', '--around', '--filter',
    '--container', '--limit', '--server', '--token', '--json', '--help', '-h'])
  t.match((await run(['completion', 'zsh'])).out, /^#compdef steward\n[^]*'ask:says something/)
  t.match(await run(['completion', 'fish']), { code: 2 })
})

import t from '../../../test/tap.js'
import { startAnthropicSandbox } from '../src/anthropic/index.js'
import { startAwsSandbox } from '../src/aws/index.js'
import { startCodehostSandbox } from '../src/codehost/index.js'

const sandboxes = {
  anthropic: await startAnthropicSandbox({ delayMs: 0 }),
  aws: await startAwsSandbox(),
  codehost: await startCodehostSandbox()
}
t.teardown(() => Promise.all(Object.values(sandboxes).map((sandbox) => sandbox.close())))
const { codehost } = sandboxes

for (const [name, { app, url, controlUrl }] of Object.entries(sandboxes)) {
  t.test(`${name}: nothing is steered without the token of this start`, async (t) => {
    const path = new URL(controlUrl).pathname
    t.match(path, /^\/__sandbox\/[0-9a-f-]{36}$/)
    t.equal((await fetch(`${controlUrl}/reset`, { method: 'POST' })).status, 200)
    for (const wrong of ['/__sandbox', '/__sandbox/', path.slice(0, -1), `${path}x`]) {
      t.ok((await fetch(`${url}${wrong}/reset`, { method: 'POST' })).status >= 400, wrong)
    }
  })

  t.test(`${name}: a page whose name was rebound to loopback is not answered`, async (t) => {
    const path = `${new URL(controlUrl).pathname}/reset`
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '10.0.0.1']) {
      for (const asked of [path, '/', '/login/oauth/authorize']) {
        const answer = await app.inject({ method: 'POST', url: asked, headers: { host } })
        t.equal(answer.statusCode, 403, `${host} ${asked}`)
      }
    }
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:80']) {
      t.equal((await app.inject({ method: 'POST', url: path, headers: { host } })).statusCode, 200, host)
    }
  })
}

const put = (path: string, body: object) => fetch(`${codehost.controlUrl}${path}`,
  { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

t.test('codehost: a hook leads to this machine and nowhere else', async (t) => {
  for (const url of ['http://93.184.216.34/', 'https://elsewhere.example/hook', 'http://localhost.evil.example/']) {
    t.equal((await put('/hook', { url })).status, 400, url)
  }
  for (const url of ['http://127.0.0.1:9/', 'http://localhost:9/', 'http://[::1]:9/']) {
    t.equal((await put('/hook', { url })).status, 200, url)
  }
})

t.test('codehost: the journal of a sign-in holds neither state nor code', async (t) => {
  await fetch(`${codehost.url}/login/oauth/authorize?client_id=x&state=state-1&code_challenge=challenge-1`)
  const body = new URLSearchParams({ client_secret: 'secret-1', code: 'code-1', code_verifier: 'verifier-1' })
  await fetch(`${codehost.url}/login/oauth/access_token`, { method: 'POST', body })
  const text = await (await fetch(`${codehost.controlUrl}/calls`)).text()
  t.match(text, 'client_id=x')
  t.notMatch(text, /(state|challenge|secret|code|verifier)-1/)
})

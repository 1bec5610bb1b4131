import http from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client, StreamableHTTPClientTransport, UnauthorizedError, type OAuthClientProvider, type StoredOAuthClientInformation,
  type StoredOAuthTokens
} from '@modelcontextprotocol/client'
import t, { type Test } from '../tap.js'
import { startChatApp } from '../chat.js'
import { judgeDark, linkFor, openWindow, seriousFindings, shoot, visit } from './browser.js'

const { app, url } = await startChatApp(t, { SANDBOX: 'auto' })

/** Where the program waits for its answer, as a command line does. @returns its address, and what comes */
const startListener = async (t: Pick<Test, 'teardown'>) => {
  const came: URLSearchParams[] = []
  const listener = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    // A browser asks for an icon, too.
    if (pathname !== '/callback') return response.writeHead(404).end()
    came.push(searchParams)
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back in the program</h1>')
  })
  await new Promise<void>((resolve) => { listener.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => {
    listener.closeAllConnections()
    listener.close()
  })
  // A TCP server that listens has an AddressInfo.
  return { address: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`, came }
}

/** What a program keeps of its authorization, in memory. */
class Kept implements OAuthClientProvider {
  client: StoredOAuthClientInformation | undefined
  kept: StoredOAuthTokens | undefined
  verifier = ''
  sentTo: URL | undefined

  constructor (readonly redirectUrl: string) {}

  get clientMetadata () {
    return {
      client_name: 'Claude of the tests',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none'
    }
  }

  state () { return 'a state of the program' }
  clientInformation () { return this.client }
  saveClientInformation (client: StoredOAuthClientInformation) { this.client = client }
  tokens () { return this.kept }
  saveTokens (tokens: StoredOAuthTokens) { this.kept = tokens }
  redirectToAuthorization (to: URL) { this.sentTo = to }
  saveCodeVerifier (verifier: string) { this.verifier = verifier }
  codeVerifier () { return this.verifier }

  /** What the server no longer takes is forgotten, as the client's own guide has programs do it. */
  invalidateCredentials (what: string) {
    if (what === 'tokens' || what === 'all') this.kept = undefined
    if (what === 'client' || what === 'all') this.client = undefined
  }
}

const listener = await startListener(t)
const program = new Kept(listener.address)
const transportOf = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: program })
const clientOf = () => new Client({ name: 'test', version: '1' })
const { page, complaints } = await openWindow(t)
const main = page.locator('main')

t.test('the program is refused, finds out how to be let in, and sends its person to a browser', async (t) => {
  await t.rejects(clientOf().connect(transportOf()), UnauthorizedError)
  t.equal(program.sentTo?.origin, url)
  t.match(program.client, { client_name: 'Claude of the tests' })
})

t.test('who is not signed in signs in first, and comes back to what was asked', async (t) => {
  await page.goto(String(program.sentTo))
  await page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor()
  const link = new URL(await linkFor(app))
  await page.getByLabel('One-time link').fill(`${url}${link.pathname}${link.hash}`)
  await page.keyboard.press('Enter')
  await page.locator('#use').click()
  await page.getByRole('link', { name: 'Open Steward' }).click()
  await main.getByRole('heading', { name: 'Authorize a program' }).waitFor()
  t.same(complaints, [])
})

t.test('the page says who asks, for what, and that it can never approve', async (t) => {
  await main.getByText('This name is not verified').waitFor()
  const shown = await main.innerText()
  for (const text of ['Claude of the tests', 'a program on this computer', 'Workspace', 'It may read', 'It may propose',
    'changes of apps and builds', 'It cannot approve']) t.match(shown, text)
  t.notMatch(shown, 'approvals:write')
  t.same(await seriousFindings(page), [])
  await shoot(page, 'connect')
  await page.emulateMedia({ colorScheme: 'dark' })
  await judgeDark(t, page, 'connect')
  await shoot(page, 'connect-small-dark')
})

t.test('by the keyboard a right is taken away, the program is let in, and works', async (t) => {
  await main.getByRole('checkbox', { name: /account:write/ }).focus()
  await page.keyboard.press('Space')
  await main.getByRole('button', { name: 'Authorize', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Back in the program' }).waitFor()
  const [answer] = listener.came
  t.equal(answer?.get('state'), 'a state of the program')
  await transportOf().finishAuth(answer ?? new URLSearchParams())
  t.match(program.kept?.refresh_token, /^stw_ort_/)
  const client = clientOf()
  await client.connect(transportOf())
  const { tools } = await client.listTools()
  t.ok(tools.length > 20)
  await client.close()
})

t.test('an access token that has ended is refreshed without anybody', async (t) => {
  const before = program.kept?.access_token
  await app.db.updateTable('account_token').set({ access_until: new Date(0) }).where('resource', '=', 'mcp').execute()
  const client = clientOf()
  await client.connect(transportOf())
  t.ok((await client.listTools()).tools.length > 20)
  await client.close()
  t.not(program.kept?.access_token, before)
})

t.test('the settings show it, and disconnect it', async (t) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await visit(page, `${url}/#/settings/assistants`, 'Settings')
  const row = main.getByRole('row').filter({ hasText: 'Claude of the tests' })
  await row.waitFor()
  t.notMatch(await row.innerText(), 'account:write')
  t.same(await seriousFindings(page), [])
  await judgeDark(t, page, 'settings/assistants')
  await shoot(page, 'settings-assistants')
  await row.getByRole('button', { name: 'Disconnect Claude of the tests' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await main.getByText('No connected assistants').waitFor()
  const { client, sentTo } = program
  await t.rejects(clientOf().connect(transportOf()), UnauthorizedError)
  t.same([program.client, program.kept], [client, undefined], 'it is known yet, and has lost its tokens')
  t.not(program.sentTo?.href, sentTo?.href, 'its person is asked anew')
  t.same(complaints, [])
})

/** Goes on by the Tab key alone. */
const tabTo = async (name: string): Promise<void> => {
  const wanted = main.getByRole('button', { name, exact: true })
  for (let presses = 0; presses < 60; presses++) {
    if (await wanted.evaluate((one) => one.matches(':focus'))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`No Tab leads to “${name}”`)
}

t.test('who does not let it in sends it away, with a phone and without a mouse', async (t) => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto(String(program.sentTo))
  await main.getByRole('button', { name: 'Deny' }).waitFor()
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 360)
  t.same(await seriousFindings(page), [])
  await tabTo('Deny')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Back in the program' }).waitFor()
  t.equal(listener.came.at(-1)?.get('error'), 'access_denied')
})

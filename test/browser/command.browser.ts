import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from '../tap.js'
import { startChatApp } from '../chat.js'
import { commandsOf, masked, type Command } from '../packages/cli/command.js'
import { judgeDark, linkFor, openWindow, seriousFindings, shoot } from './browser.js'

const { app, url } = await startChatApp(t, { SANDBOX: 'auto' })
const { run, start, atTerminal, home } = commandsOf(t, { STEWARD_SERVER: url })
const { page, complaints } = await openWindow(t)
const main = page.locator('main')
const file = join(home, 'steward/credentials.json')

/** Begins a sign-in. @returns the command, which waits, and what it shows the person */
const beginLogin = async (): Promise<{ login: Command, code: string, form: string, whole: string }> => {
  const login = start(['login'])
  const shown = await login.until('Waiting')
  const [, form = '', code = '', whole = ''] = /Open (\S+) and enter (\S+)\nor open (\S+)\n/.exec(shown) ?? []
  return { login, code, form, whole }
}

/** Enters the code by hand, as from another screen, and comes to the question. */
const enter = async (form: string, code: string): Promise<void> => {
  await page.goto(form)
  await page.getByLabel('The code that the device or the command shows').fill(code.toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'It shows this code' }).click()
}

t.test('a command is let in by its code, by who signs in on the way', async (t) => {
  const { login, code, whole } = await beginLogin()
  await page.goto(whole)
  await page.getByText('“Steward command line” shows this code:').waitFor()
  await page.getByText(code, { exact: true }).waitFor()
  await shoot(page, 'device')
  t.same(await seriousFindings(page), [])
  await judgeDark(t, page, 'oauth/device')
  await page.setViewportSize({ width: 1280, height: 820 })
  await page.getByRole('button', { name: 'It shows this code' }).click()
  await page.getByRole('heading', { name: 'Sign in to Steward' }).waitFor()
  const link = new URL(await linkFor(app))
  await page.getByLabel('One-time link').fill(`${url}${link.pathname}${link.hash}`)
  await page.keyboard.press('Enter')
  await page.locator('#use').click()
  await page.getByRole('link', { name: 'Open Steward' }).click()
  await main.getByText(`the device that shows ${code}`).waitFor()
  const shown = await main.innerText()
  for (const text of ['Steward command line', 'infrastructure:write', 'deployments:write', 'It cannot approve']) {
    t.match(shown, text)
  }
  const approving = main.getByRole('checkbox', { name: 'Approve and reject in your name' })
  t.notOk(await approving.isChecked(), 'it is off until a person says so')
  t.match(await main.innerText(), 'whoever can use this terminal approves what you may approve')
  await main.getByRole('button', { name: 'Authorize', exact: true }).click()
  await page.getByRole('heading', { name: 'Connected' }).waitFor()
  const { code: exit, err } = await login.ended
  t.equal(exit, 0)
  t.match(masked(err), `Signed in to <server> as Administrator.
It reads, chats and proposes, and cannot approve in your name.
Approve in the browser: <server>/#/inbox
`)
  t.same(complaints, [])
})

t.test('what is kept of it opens every command, and a write waits for the person in the browser', async (t) => {
  t.same(masked((await run(['whoami'])).out),
    'Administrator, admin, at <server>, by token, cannot approve\n')
  const { code, out, err } = await run(['ask', 'Scale web to 4'])
  t.same([code, /I would like to scale \*\*web\*\* in prod to 4 tasks/.test(out)], [4, true], out)
  const [, id = ''] = /#\/inbox\/([0-9a-f-]{36})/.exec(err) ?? []
  t.match((await run(['inbox'])).out, new RegExp(`^${id}\\t.*\\tScale service web .* from 2 to 4$`, 'm'))
  const logs = await run(['logs', 'web', '--json'])
  t.match(JSON.parse(logs.out.split('\n')[0] ?? ''), { container: 'web' })
  await page.goto(`${url}/#/inbox/${id}`)
  await main.getByRole('button', { name: 'Approve', exact: true }).click()
  await main.getByText('succeeded', { exact: true }).first().waitFor()
  t.same((await run(['inbox'])).out, '')
})

t.test('a token that has ended is renewed by the command, which nobody notices', async (t) => {
  const tokenOf = () => readFileSync(file, 'utf8')
  const before = tokenOf()
  await app.db.updateTable('account_token').set({ access_until: new Date(0) }).where('resource', '=', 'api').execute()
  const both = await Promise.all([run(['whoami']), run(['inbox'])])
  t.same(both.map(({ code, err }) => [code, err]), [[0, ''], [0, '']])
  t.not(tokenOf(), before)
})

t.test('to sign out ends it at Steward, too', async (t) => {
  const { token, refresh_token: refreshToken } = JSON.parse(readFileSync(file, 'utf8')).servers[url]
  t.same(await run(['logout']), { code: 0, out: '', err: `Signed out of ${url}.\n` })
  t.match(await run(['whoami']), { code: 3, err: /run steward login/ })
  t.match(await run(['whoami', '--token', token]), { code: 3 }, 'the token, too')
  const again = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'steward-cli' })
  })
  t.equal(again.status, 400)
  await page.goto(`${url}/#/settings/assistants`)
  await main.getByText('No connected assistants').waitFor()
})

t.test('a person lets the command approve in their name, and it does at the terminal', async (t) => {
  const { login, form, code } = await beginLogin()
  await enter(form, code)
  await main.getByRole('checkbox', { name: 'Approve and reject in your name' }).check()
  t.equal(await main.getByText('It cannot approve.').count(), 0)
  await shoot(page, 'device-approves')
  t.same(await seriousFindings(page), [])
  await main.getByRole('button', { name: 'Authorize', exact: true }).click()
  t.match(masked((await login.ended).err), 'Signed in to <server> as Administrator.\nIt may approve in your name.\n')
  t.equal(masked((await run(['whoami'])).out), 'Administrator, admin, at <server>, by token, may approve\n')
  const asking = atTerminal(['ask', 'Scale web to 3'])
  await asking.until('later)')
  asking.type('yes\n')
  t.match(await asking.ended, { code: 0, out: /Approved\./ })
  await page.goto(`${url}/#/settings/assistants`)
  await main.getByText('decide approvals').waitFor()
  t.match(await run(['logout']), { code: 0 })
  t.same(complaints, [])
})

t.test('a command that its person sends away says so, and keeps nothing', async (t) => {
  const { login, form, code } = await beginLogin()
  await enter(form, code)
  await main.getByRole('button', { name: 'Deny' }).click()
  t.match(await login.ended, { code: 3, err: /Not signed in: .*\(access_denied\)/ })
  t.notOk(existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).servers[url])
})

t.test('a person disconnects it in the settings, and the next command says so, and to sign in again', async (t) => {
  const { login, form, code } = await beginLogin()
  await enter(form, code)
  await main.getByRole('button', { name: 'Authorize', exact: true }).click()
  t.match(await login.ended, { code: 0 })
  await page.goto(`${url}/#/settings/assistants`)
  await main.getByRole('button', { name: 'Disconnect Steward command line' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await main.getByText('No connected assistants').waitFor()
  t.match(await run(['whoami']), { code: 3, err: /The token has been revoked[^]*Sign in: steward login/ })
  t.same(complaints, [])
})

import type { Page } from 'playwright-core'
import t from '../tap.js'
import { verifyText } from '../../lib/record/verify-file.js'
import { asAdmin } from '../app.js'
import { scripted, startChatApp } from '../chat.js'
import { read, say, serviceId, wantsToScale } from '../flows/asking.js'
import { enablePolicies } from '../policies.js'
import { openWindow, sendMessage, seriousFindings, shoot, signIn, visit } from './browser.js'
import { cardsOf } from './cards.js'

const steward = await startChatApp(t, { SANDBOX: 'auto' })
const { app } = steward
// Browsers make passkeys for a name, not for a number.
const url = steward.url.replace('127.0.0.1', 'localhost')
const client = await openWindow(t)
const { page, complaints } = client
await signIn(client, app, url)
const { card, decided, count, ask, web } = await cardsOf({ ...steward, ...client, url })

/** Chromium's own authenticator in software, beside the page. @returns what sets whether it verifies the person */
const addAuthenticator = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}
const setVerified = await addAuthenticator(page)

t.test('a person adds a passkey in the settings', async (t) => {
  await visit(page, `${url}/#/settings/passkeys`, 'Settings')
  await page.getByText('No passkeys').waitFor()
  t.same(await seriousFindings(page), [])
  await page.getByRole('textbox', { name: 'Name, such as the device' }).fill('Laptop')
  await page.getByRole('button', { name: 'Create on this device' }).click()
  await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'passkeys')
  await page.getByRole('textbox', { name: 'Name, such as the device' }).fill('Again')
  await page.getByRole('button', { name: 'Create on this device' }).click()
  await page.getByText('This device has a passkey of yours here').waitFor()
})

t.test('the card has a grave write signed, the record shows it, and its export is verified', async (t) => {
  await enablePolicies(app, `@id("grave") @outcome("approve") @signed("true")
    permit (principal, action == Action::"scaleService", resource);`)
  t.equal(await count(), 2)
  await ask(4)
  await card.getByText('you sign this plan with your passkey').waitFor()
  await shoot(page, 'approval-signed')
  t.same(await seriousFindings(page), [])
  await setVerified(false)
  await card.getByRole('button', { name: 'Approve' }).click()
  await card.getByRole('alert').getByText('Nothing was signed, and nothing was done').waitFor()
  t.equal(await count(), 2, 'whoever is not verified signs nothing')
  await setVerified(true)
  await card.getByRole('button', { name: 'Approve' }).click()
  await page.locator('.call.succeeded').waitFor()
  await decided.waitFor()
  t.equal(await count(), 4)
  const { items } = await read(app, '/account/audit?operation=scaleService&kind=decided')
  t.match(items[0].body.consent, { algorithm: -7, statement: { rp_id: 'localhost', origin: url } })
  const { payload } = await app.inject({ url: '/account/audit/export', headers: asAdmin })
  const { keys } = await read(app, '/.well-known/steward-audit-keys.json')
  t.match(await verifyText([payload], { keys }), { problems: [], signatures: 1 })
  const other = payload.replaceAll('"after":"4"', '"after":"40"')
  const { problems } = await verifyText([other], { keys })
  t.ok(problems.some(({ what }) => /passkey is of another plan than the one that stands beside it/.test(what)))
})

t.test('a plan of steps is signed once, for all of them as they were shown', async (t) => {
  const search = await serviceId(app, 'search')
  await visit(page, `${url}/#/`)
  await sendMessage(page, scripted(steward.anthropic, [wantsToScale([web, 3], [search, 3]), say('All right.')]))
  await page.getByRole('link', { name: 'Review as one plan' }).click()
  const plan = page.locator('.approval.pending').filter({ has: page.locator('.steps') })
  await plan.getByText('you sign this plan with your passkey').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'plan-signed')
  await setVerified(false)
  await plan.getByRole('button', { name: 'Approve all 2 steps' }).click()
  await plan.getByRole('alert').getByText('Nothing was signed, and nothing was done').waitFor()
  t.equal(await count(), 4)
  await setVerified(true)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && /\/steps$/.test(request.url()))
  await plan.getByRole('button', { name: 'Approve all 2 steps' }).click()
  t.match((await sent).postDataJSON(), { approved: true, signature: { credential_id: String } })
  await page.getByText('All 2 steps have succeeded.').waitFor()
  t.equal(await count(), 3)
  const { items } = await read(app, '/account/audit?operation=scaleService&kind=decided&limit=2')
  const digests = items.map(({ body }: { body: { consent: { statement: { plans: unknown[] } } } }) =>
    body.consent.statement.plans.length)
  t.same(digests, [2, 2], 'each step has the signature of the whole plan')
})

t.test('whoever has a passkey signs a change of people', async (t) => {
  await visit(page, `${url}/#/settings/groups`, 'Settings')
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('On call')
  const signed = page.waitForRequest((request) => request.headers()['x-steward-signature'] !== undefined)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  t.equal((await signed).method(), 'POST')
  await page.getByRole('heading', { name: 'On call' }).waitFor()
  await setVerified(false)
  await visit(page, `${url}/#/settings/groups`, 'Settings')
  await page.getByRole('button', { name: 'New group' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Never')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('Nothing was signed, and nothing was done').waitFor()
  await setVerified(true)
})

t.test('nothing complains', async (t) => { t.same(complaints, []) })

import t from '../tap.js'
import { makePerson } from '../routes/account/actors.js'
import { judgeDark, linkFor, openWindow, seriousFindings, shoot, signIn, startClient } from './browser.js'

const { url, page, app } = await startClient(t)
const steps = () => page.getByRole('region', { name: 'First steps' }).getByRole('listitem')

t.test('what an installation lacks is listed, and ticks itself', async (t) => {
  await page.goto(`${url}/#/`)
  await page.getByRole('heading', { name: 'First steps, 3 left' }).waitFor()
  const shown = (await steps().allTextContents()).map((text) => text.replace(/, (open|done).*/, ', $1'))
  t.same(shown, ['A model, done', 'A cloud account, open', 'A code host, open', 'People, open'])
  await shoot(page, 'first-steps')
  t.same(await seriousFindings(page), [])
  await makePerson(app, 'Mia', 'member')
  await page.getByRole('heading', { name: 'First steps, 2 left' }).waitFor()
  await steps().filter({ hasText: 'People, done' }).waitFor()
  await steps().getByRole('link', { name: 'A cloud account' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
})

t.test('hidden, it stays so; who is no admin never sees it', async (t) => {
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(small, app, url)
  const heading = small.page.getByRole('heading', { name: /^First steps/ })
  await heading.waitFor()
  await judgeDark(t, small.page, 'first steps')
  await small.page.getByRole('button', { name: 'Hide' }).click()
  await small.page.reload()
  await small.page.getByRole('heading', { name: 'What do you want to do?' }).waitFor()
  t.equal(await heading.count(), 0)
})

t.test('who is invited is signed in, and given no token', async (t) => {
  const guest = await openWindow(t)
  const link = new URL(await linkFor(app))
  await guest.page.goto(`${url}${link.pathname}${link.hash}`)
  t.notOk(await guest.page.getByRole('link', { name: 'Open Steward' }).isVisible(), 'who only opens it uses nothing up')
  await guest.page.getByRole('button', { name: 'Sign in' }).click()
  await guest.page.getByRole('link', { name: 'Open Steward' }).waitFor()
  t.notOk(await guest.page.getByRole('button', { name: 'Create an API token' }).isVisible())
  await guest.page.getByText('For programs: an API token').click()
  await guest.page.getByRole('button', { name: 'Create an API token' }).click()
  await guest.page.getByText(/^stw_/).first().waitFor()
  t.same(await seriousFindings(guest.page), [])
})

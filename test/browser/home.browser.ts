import t from '../tap.js'
import { asAdmin } from '../app.js'
import { judgeDark, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'
import { proposeProject } from '../flows/voting.js'

const { app, url, page, complaints } = await startClient(t)
const section = (name: string) => page.locator('main').getByRole('region', { name })

t.test('what needs a person is on one page, and each leads to where it is decided', async (t) => {
  const { confirmation } = await proposeProject(app, asAdmin, 'Harbour')
  await visit(page, `${url}/#/home`, 'Home')
  await section('Approvals').getByText('Nothing waits for you.').waitFor({ state: 'detached' })
  const services = section('Unhealthy services').getByRole('link').first()
  await services.waitFor()
  t.match(await services.getAttribute('href'), /^#\/services\//)
  await section('Failed builds').getByText('No app failed its last build.').waitFor()
  await section('Reports').getByText('No open reports.').waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'home')
  const link = section('Approvals').getByRole('link', { name: /Harbour/ })
  await link.press('Enter')
  await page.waitForURL(`**/#/inbox/${confirmation.id}`)
  t.same(complaints, [])
})

t.test('on a phone, in the dark, it is as whole', async (t) => {
  const small = await openWindow(t, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
  await signIn(small, app, url)
  await visit(small.page, `${url}/#/home`, 'Home')
  await small.page.getByRole('region', { name: 'Unhealthy services' }).getByRole('link').first().waitFor()
  await judgeDark(t, small.page, 'home')
  await shoot(small.page, 'home-small-dark')
})

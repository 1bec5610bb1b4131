import t from '../tap.js'
import { asAdmin } from '../app.js'
import { keepRolling } from '../routes/deployments/actors.js'
import { cardsOf } from './cards.js'
import { narrow, openWindow, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const client = await startClient(t)
const { app, url, page, complaints } = client
const { web, post } = await cardsOf(client)
const main = page.locator('main')
keepRolling(t, app)
const path = `/infrastructure/containers/services/${encodeURIComponent(web)}`
const servicePage = `${url}/#/services/${encodeURIComponent(web)}`
const section = (name: string) => main.getByRole('region', { name, exact: true })

t.test('what is unhealthy stands first, over all clusters', async (t) => {
  await visit(page, `${url}/#/services`, 'Services')
  const rows = section('Needs attention').locator('tbody tr')
  await rows.filter({ hasText: 'worker' }).getByText('0 of 2 tasks run').waitFor()
  const others = await section('All others').locator('tbody tr td:nth-child(3)').allTextContents()
  t.notMatch(others.join(), /down|degraded/)
  const clusters = await main.locator('tbody tr td:first-child .muted').allTextContents()
  t.ok(new Set(clusters.map((text) => text.split(' · ')[0])).size > 1, 'of more than one cluster')
  const echo = section('All others').locator('tbody tr').filter({ has: page.getByRole('link', { name: 'echo' }) })
  t.same(await echo.locator('td:nth-child(2), td:nth-child(3)').allTextContents(), ['Lambda function', 'not reported'])
  await shoot(page, 'services-all')
  t.same(await seriousFindings(page), [])
})

t.test('one search goes over clusters, and is in the address', async (t) => {
  await main.getByRole('searchbox').fill('PROD web')
  await main.locator('tbody tr').filter({ hasText: 'worker' }).waitFor({ state: 'detached' })
  await main.getByRole('link', { name: 'web', exact: true }).waitFor()
  t.match(page.url(), /q=PROD/)
  await page.reload()
  await main.getByRole('link', { name: 'web', exact: true }).waitFor()
  t.equal(await main.getByRole('searchbox').inputValue(), 'PROD web')
  await main.getByRole('searchbox').fill('no such service')
  await main.getByText('Nothing found').waitFor()
  await main.getByRole('searchbox').fill('')
  await main.getByRole('checkbox', { name: 'Only what needs attention' }).check()
  await section('All others').waitFor({ state: 'detached' })
  await section('Needs attention').waitFor()
  t.same(await seriousFindings(page), [])
})

/** An error as Steward answers it. */
const problem = (status: number, code: string, detail: string) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: 'Error', status, code, detail })
})

t.test('what was measured is drawn, has its figures, and its values to read', async (t) => {
  await visit(page, `${servicePage}/metrics`, 'web')
  const cpu = section('CPU')
  await cpu.locator('svg path').first().waitFor({ state: 'attached' })
  t.match(await cpu.locator('dl').textContent(), /Average\d+(\.\d)?%Highest\d+(\.\d)?%Last\d+(\.\d)?%/)
  await cpu.getByText('Values of CPU').click()
  t.ok(await cpu.locator('tbody tr').count() > 100)
  await section('Requests').locator('dt', { hasText: 'Sum' }).waitFor()
  await section('Alarms').getByRole('link', { name: 'web-5xx', exact: true }).waitFor()
  await shoot(page, 'service-metrics')
  t.same(await seriousFindings(page), [])
  await main.getByRole('combobox', { name: 'Range' }).selectOption({ label: 'The last hour' })
  await page.waitForURL(/since=1h/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shoot(page, 'service-metrics-dark')
  t.same(await seriousFindings(page), [])
  await page.emulateMedia({ colorScheme: 'light' })
  await visit(page, `${url}/#/functions/paused-import`, 'paused-import')
  await section('Throttles').getByText('no data').waitFor()
  t.equal(await section('Throttles').locator('svg path').count(), 0, 'no line at 0')
  t.same(await seriousFindings(page), [])
})

t.test('why a service is down is one click away, with sources', async (t) => {
  await visit(page, servicePage.replace('~web', '~worker'), 'worker')
  await main.getByRole('link', { name: 'Why?' }).click()
  await section('Why').locator('tbody tr').filter({ hasText: 'exit code 1' }).first().waitFor()
  await section('Why').getByText('logs:FilterLogEvents').first().waitFor()
  await shoot(page, 'service-why')
  t.same(await seriousFindings(page), [])
})

t.test('a cluster that does not answer leaves the others in place', async (t) => {
  await page.route('**/clusters/*prod/services?*', (route) =>
    route.fulfill(problem(502, 'aws_error', 'It is <b>gone</b>')))
  await visit(page, `${url}/#/services`, 'Services')
  await main.getByText('eu-west-1: It is <b>gone</b>').first().waitFor()
  t.ok(await main.locator('tbody tr').count() > 0)
  await page.unroute('**/clusters/*prod/services?*')
})

t.test('functions that cannot be listed are named, and the services are there; and the other way round', async (t) => {
  const functions = '**/serverless/functions?*'
  await page.route(functions, (route) => route.fulfill(problem(502, 'aws_error', 'Lambda is away')))
  await visit(page, `${url}/#/services`, 'Services')
  const alert = main.getByRole('alert')
  await alert.getByText('The Lambda functions could not be read').waitFor()
  await alert.getByText('Lambda is away').waitFor()
  await main.getByRole('link', { name: 'web', exact: true }).waitFor()
  t.same(await seriousFindings(page), [])
  await shoot(page, 'services-unread')
  await page.unroute(functions)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
  await main.getByRole('link', { name: 'echo', exact: true }).waitFor()
  await page.route('**/containers/clusters?*', (route) => route.fulfill(problem(502, 'aws_error', 'ECS is away')))
  await visit(page, `${url}/#/services?kind=function`, 'Services')
  await alert.getByText('The ECS services could not be read').waitFor()
  await main.getByRole('link', { name: 'echo', exact: true }).waitFor()
  await page.unroute('**/containers/clusters?*')
})

t.test('a list without rows is only called empty when everything could be read', async (t) => {
  const empty = (errors: object[]) => ({
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ items: [], next_cursor: null, partial: errors.length > 0, errors })
  })
  const none = /\/infrastructure\/(containers\/clusters|serverless\/functions)\?/
  const error = {
    account_id: null, region: 'eu-west-1', code: 'aws_unreachable', detail: 'No answer', aws_request_id: null
  }
  await page.route(none, (route) => route.fulfill(empty(route.request().url().includes('functions') ? [error] : [])))
  await visit(page, `${url}/#/services`, 'Services')
  await main.getByText('Services not read').waitFor()
  await main.getByText(/^eu-west-1: /).waitFor()
  t.equal(await main.getByText('No services', { exact: true }).count(), 0)
  t.same(await seriousFindings(page), [])
  await page.unroute(none)
  await page.route(none, (route) => route.fulfill(empty([])))
  await page.reload()
  await main.getByText('No services', { exact: true }).waitFor()
  await page.unroute(none)
})

t.test('the old addresses lead on, with their filters, and Back leaves them out', async (t) => {
  await visit(page, `${url}/#/home`, 'Home')
  for (const [from, to] of [
    ['containers?q=worker', 'services?q=worker'], ['functions', 'services?kind=function'], ['clusters', 'services']
  ] as const) {
    await page.evaluate(`location.hash = '#/${from}'`)
    await main.getByRole('heading', { level: 1, name: 'Services' }).waitFor()
    t.equal(page.url(), `${url}/#/${to}`)
    await page.goBack()
    await main.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  }
  await visit(page, `${url}/#/functions`, 'Services')
  await main.getByRole('link', { name: 'echo', exact: true }).waitFor()
  t.equal(await main.getByRole('link', { name: 'web', exact: true }).count(), 0)
})

t.test('a service shows its image, the size of a task, ports and the tasks with their addresses', async (t) => {
  await visit(page, `${servicePage}/tasks`, 'web')
  await main.getByText('123456789012.dkr.ecr.eu-west-1.amazonaws.com/web:2.4.0').waitFor()
  await main.getByText('0.25 vCPU').waitFor()
  await main.getByText('512 MB').waitFor()
  await main.getByText('8080/tcp of web').waitFor()
  t.equal(await section('Tasks').locator('tbody tr').count(), 2)
  t.match(await section('Tasks').locator('tbody tr td:nth-child(4)').allTextContents(), [/^10\.0\./, /^10\.0\./])
  await shoot(page, 'service-tasks')
  t.same(await seriousFindings(page), [])
})

t.test('a deployment that succeeded runs again after a look at the card', async (t) => {
  for (const tag of ['3.0.0', '3.1.0']) {
    const { id } = await post(`${path}/deploy`, { image: `example.com/shop/web:${tag}` })
    const row = async () => (await app.inject({ url: `${path}/deployments/${id}`, headers: asAdmin })).json()
    await visit(page, `${servicePage}/deployments`, 'web')
    await main.locator('tbody tr').first().getByText('succeeded').waitFor({ timeout: 60_000 })
    t.equal((await row()).status, 'succeeded', tag)
  }
  await page.reload()
  await main.getByRole('button', { name: /^Roll back to web:/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('.preview .after', { hasText: 'web:3.0.0' }).first().waitFor()
  await shoot(page, 'service-rollback')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  await main.locator('tbody tr').first().getByText('rollback').waitFor()
  await main.getByText('example.com/shop/web:3.0.0').waitFor({ timeout: 60_000 })
  t.same(await seriousFindings(page), [])
})

/** One stream of the server, which ends for its time limit, as all do. */
const stream = (id: string, message: string) => {
  const line = { type: 'log', id, timestamp: '2026-11-01T10:00:00.000Z', message, container: 'web' }
  return `id: ${id}\nevent: log\ndata: ${JSON.stringify(line)}\n\n` +
    'event: end\ndata: {"type":"end","reason":"time_limit"}\n\n'
}

t.test('live logs go on after the stream has ended, behind the last line that came', async (t) => {
  const resumed: (string | undefined)[] = []
  await page.route('**/services/*/logs?*', async (route) => {
    resumed.push((await route.request().allHeaders())['last-event-id'])
    const count = resumed.length
    if (count > 2) return
    await route.fulfill({ contentType: 'text/event-stream', body: stream(String(count), `line ${count}`) })
  })
  await visit(page, `${servicePage}/logs`, 'web')
  await main.getByText('line 2').waitFor()
  await main.getByText('connecting again').waitFor()
  t.same(await main.locator('.log-line .grow').allTextContents(), ['line 1', 'line 2'])
  t.same(resumed.slice(0, 2), [undefined, '1'])
  await page.unroute('**/services/*/logs?*')
})

t.test('logs that were refused are followed again when a person asks', async (t) => {
  await page.route('**/services/*/logs?*', (route) =>
    route.fulfill(problem(403, 'aws_permission_denied', 'No logs')))
  await visit(page, `${servicePage}/logs`, 'web')
  await main.getByText('stopped', { exact: true }).waitFor()
  await page.unroute('**/services/*/logs?*')
  await main.getByRole('button', { name: 'Try again' }).click()
  await main.getByText('live', { exact: true }).waitFor()
  await main.locator('.log-line').first().waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('the services and one of them fit every width, in both themes', async (t) => {
  const service = `services/${encodeURIComponent(web)}`
  await narrow(t, { app, url }, ['services', `${service}/tasks`])
  const light = await openWindow(t, { viewport: { width: 360, height: 1000 }, colorScheme: 'light' })
  await signIn(light, app, url)
  for (const width of [360, 768, 1280]) {
    await light.page.setViewportSize({ width, height: 1000 })
    for (const [address, name] of [['services', 'services'], [`${service}/tasks`, 'service']] as const) {
      await visit(light.page, `${url}/#/${address}`)
      await light.page.locator('main tbody tr').first().waitFor()
      t.equal(await light.page.evaluate('document.documentElement.scrollWidth'), width, address)
      await shoot(light.page, `${name}-${width}`)
    }
  }
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})

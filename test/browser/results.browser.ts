import t from '../tap.js'
import { scripted } from '../chat.js'
import { serviceId } from '../flows/asking.js'
import { judgeDark, openWindow, sendMessage, seriousFindings, shoot, signIn, startClient, visit } from './browser.js'

const steward = await startClient(t)
const { app, anthropic, url, page, complaints } = steward
const web = await serviceId(app, 'web')

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const call = (name: string, input: object) => ({ content: [{ type: 'tool_use' as const, name, input }] })

/** Has the assistant call a tool in a new chat, and opens what came back. */
const show = async (name: string, input: object) => {
  await visit(page, `${url}/#/`)
  await sendMessage(page, scripted(anthropic, [call(name, input), say('All right.')]))
  await page.locator('.call.succeeded').waitFor()
  await page.locator('.call-head').click()
  return page.locator('.call-details')
}

t.test('a list is a table that is sorted and filtered by keyboard, and the raw answer is one click away', async (t) => {
  const details = await show('listFunctions', {})
  const table = details.locator('.data-table')
  await table.waitFor()
  const names = () => table.locator('tbody td:first-child').allTextContents()
  const before = await names()
  await table.getByRole('button', { name: 'Name', exact: true }).focus()
  await page.keyboard.press('Enter')
  t.equal(await table.getByRole('columnheader', { name: 'Name', exact: true }).getAttribute('aria-sort'), 'ascending')
  const sorted = before.toSorted((a, b) => a.localeCompare(b))
  t.same(await names(), sorted)
  await page.keyboard.press('Enter')
  t.same(await names(), sorted.toReversed())
  await details.getByRole('button', { name: 'Raw answer' }).click()
  t.match(JSON.parse(await details.locator('pre').last().textContent() ?? ''), { items: [{ name: String }] })
  t.same(await seriousFindings(page), [])
})

t.test('costs are a chart and a table', async (t) => {
  const details = await show('getCosts', { group_by: 'SERVICE' })
  await details.locator('.chart canvas').waitFor()
  await details.getByRole('columnheader', { name: 'Cost' }).waitFor()
  t.match(await details.locator('.data-table tbody tr').first().textContent(), /\$\d/)
  await details.scrollIntoViewIfNeeded()
  await shoot(page, 'result-costs')
  t.same(await seriousFindings(page), [])
})

t.test('logs have times in the zone of the reader, which is named and switched', async (t) => {
  const away = await openWindow(t, { timezoneId: 'Asia/Tokyo' })
  await signIn(away, app, url)
  await sendMessage(away.page, scripted(anthropic, [call('getServiceLogs', { service: web }), say('All right.')]))
  await away.page.locator('.call-head').click()
  const log = away.page.locator('.log')
  await log.locator('time').first().waitFor()
  const at = await log.locator('time').first().getAttribute('datetime') ?? ''
  t.ok(at, 'it has a line')
  const own = await log.locator('time').first().textContent()
  t.equal(own, new Date(Date.parse(at) + 9 * 3_600_000).toISOString().slice(11, 19))
  await away.page.getByRole('button', { name: 'Times in Asia/Tokyo' }).click()
  t.equal(await log.locator('time').first().textContent(), at.slice(11, 19))
  await away.page.getByRole('button', { name: 'Times in UTC' }).waitFor()
  await shoot(away.page, 'result-logs')
  t.same(await seriousFindings(away.page), [])
  t.same(away.complaints, [])
})

t.test('metrics are charts', async (t) => {
  const details = await show('getServiceMetrics', { service: web })
  await details.getByRole('region', { name: 'Memory' }).locator('svg path').first().waitFor({ state: 'attached' })
  await shoot(page, 'result-metrics')
  t.same(await seriousFindings(page), [])
})

t.test('the tasks of a service, alarms, and why it is as it is, are tables', async (t) => {
  const tasks = await show('listServiceTasks', { service: web })
  await tasks.getByRole('columnheader', { name: 'Revision' }).waitFor()
  t.equal(await tasks.locator('tbody tr').count(), 2)
  const alarms = await show('listAlarms', { service: web })
  await alarms.getByRole('link', { name: 'web-cpu-high' }).waitFor()
  const why = await show('whyUnhealthy', { service: web })
  await why.getByText('2 of 2 tasks run, 0 are pending').waitFor()
  t.same(await seriousFindings(page), [])
})

t.test('pull requests are cards that lead on', async (t) => {
  const details = await show('listPulls', { repo_id: '7001', state: 'all' })
  const card = details.getByRole('region', { name: /Pull request/ }).first()
  await card.getByRole('link', { name: 'All of the repository' }).waitFor()
  await shoot(page, 'result-pulls')
  t.same(await seriousFindings(page), [])
  await card.getByRole('link', { name: 'All of the repository' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  t.match(page.url(), /repositories\/7001\/pulls/)
})

t.test('a deployment that was approved goes on as a pipeline', async (t) => {
  await visit(page, `${url}/#/`)
  const input = { service: web, force_new_deployment: true }
  await sendMessage(page, scripted(anthropic, [call('deployService', input), say('All right.')]))
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.locator('.call.succeeded').waitFor()
  const stages = page.getByRole('list', { name: 'Stages of the deployment' }).getByRole('listitem')
  await stages.first().waitFor()
  t.match(await stages.allTextContents(), [/^Queued/, /^Revision/, /^Service/, /^Tasks/, /^Done/])
  await shoot(page, 'result-deployment')
  t.same(await seriousFindings(page), [])
})

const written = [
  '# Head', '1. one', '', '```', 'code', '```', '', '2. two', '',
  '| a | b |', '|:--|--:|', '| x | 12 |', '', '- [x] done', '- [ ] open', '',
  'As measured.[^1]', '', '```ts', 'const x: string = "<b>"', '```', '', '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))', '', '[^1]: In *May*.'
].join('\n')

t.test('Markdown is whole: tables keep their sides, notes are reached, code has colours and is copied', async (t) => {
  const other = await openWindow(t, { permissions: ['clipboard-read', 'clipboard-write'] })
  await signIn(other, app, url)
  await sendMessage(other.page, scripted(anthropic, [say(written)]))
  const text = other.page.locator('.entry.text .markdown')
  await text.locator('.hljs-keyword').waitFor()
  t.equal(await text.locator('td').nth(1).getAttribute('align'), 'right')
  t.equal(await text.locator('ol').nth(1).getAttribute('start'), '2', 'a list goes on behind code')
  t.same(await text.locator('ul li').allTextContents(), ['☑ done', '☐ open'])
  await text.locator('sup a').click()
  t.match(await text.locator('[data-note="1"]').evaluate((note) => note.matches(':focus')), true)
  t.match(other.page.url(), /#\/chat\//, 'the address stays')
  await text.locator('.code-block', { hasText: 'const x' }).getByRole('button', { name: 'Copy' }).click()
  await text.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await other.page.evaluate('navigator.clipboard.readText()'), 'const x: string = "<b>"')
  await other.page.getByRole('button', { name: 'Copy the answer' }).click()
  await other.page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
  t.equal(await other.page.evaluate('navigator.clipboard.readText()'), written)
  t.same(await text.locator('img, script, [onerror], [href^="javascript"]').count(), 0)
  await shoot(other.page, 'markdown')
  t.same(await seriousFindings(other.page), [])
  await other.page.emulateMedia({ colorScheme: 'dark' })
  await judgeDark(t, other.page, 'markdown')
  await shoot(other.page, 'markdown-small-dark')
  t.same(other.complaints, [])
})

t.test('a stop is marked, also after a reload, and the message is sent again', async (t) => {
  const other = await openWindow(t)
  await signIn(other, app, url)
  const text = 'slowly '.repeat(90)
  await sendMessage(other.page, scripted(anthropic, [{ content: [{ type: 'text', text }], chunk: 2, delay_ms: 200 }]))
  await other.page.getByText('slowly').first().waitFor()
  await other.page.getByRole('button', { name: 'Stop' }).click()
  await other.page.getByText('Stopped.').waitFor()
  await other.page.reload()
  await other.page.getByText('Stopped.').waitFor()
  t.equal(await other.page.locator('.entry.stopped').count(), 1)
  t.same(await seriousFindings(other.page), [])
  await other.page.getByRole('button', { name: 'Send again' }).click()
  await other.page.locator('.entry.user').nth(1).waitFor()
  t.same(other.complaints, [])
})

t.test('nothing that a page did was refused by its policy', async (t) => {
  t.same(complaints, [])
})

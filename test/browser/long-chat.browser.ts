import t from '../tap.js'
import { until } from '../chat.js'
import { seriousFindings, startClient } from './browser.js'
import { openLongChat } from './long-chat.js'

const steward = await startClient(t)
const { page, complaints } = steward
const messages = 10_000
const answer = 'The newest answer.'
/** Entries that a screen, and what is kept drawn around it, may have; 10,000 would be all of them. */
const mostDrawn = 400

const drawn = () => page.locator('.entry').count()
const opening = page.locator('.entry.user', { hasText: /Question 1(?!\d)/ })

/** Nodes and bytes of the page, after its garbage was collected. */
const weigh = async (): Promise<{ nodes: number, bytes: number }> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return { nodes, bytes: usedSize }
}

/** Scrolls five screens in each frame, until nothing is left to read or to scroll; a problem ends it. */
const travel = (to: 'start' | 'end') => page.evaluate(`new Promise((resolve, reject) => {
  const body = document.querySelector('.thread-body')
  const isThere = () => ${to === 'start'
    ? "body.scrollTop === 0 && !body.querySelector('.after-table')"
    : 'body.scrollHeight - body.scrollTop - body.clientHeight < 2'}
  // What was read meanwhile is put before the first message, and the reader then back where they were.
  let frames = 0
  const step = () => {
    body.scrollBy({ top: ${to === 'start' ? -5 : 5} * body.clientHeight, behavior: 'instant' })
    const problem = body.querySelector('[role="alert"]')
    if (problem) return reject(new Error(problem.textContent))
    frames = isThere() ? frames + 1 : 0
    if (frames > 30) resolve()
    else requestAnimationFrame(step)
  }
  step()
})`)

/** From the start to the end and back, after which little of it is drawn. */
const thereAndBack = async () => {
  await travel('end')
  await page.locator('.entry.text').getByText(answer).waitFor()
  await until(async () => await drawn() < mostDrawn, drawn)
  await travel('start')
  await opening.waitFor()
  await until(async () => await drawn() < mostDrawn, drawn)
}

t.test('a conversation of 10,000 messages is read to its start and back; the page stays as small', async (t) => {
  await openLongChat(steward, messages, answer)
  // What comes before is read as the reader comes near to it.
  await travel('start')
  await opening.waitFor()
  t.same(await seriousFindings(page), [])
  await thereAndBack()
  const first = await weigh()
  for (let turn = 0; turn < 2; turn++) await thereAndBack()
  const last = await weigh()
  t.comment(`${first.nodes} nodes and ${first.bytes} bytes at first, ${last.nodes} and ${last.bytes} after 4 ways more`)
  t.ok(last.nodes < first.nodes * 1.5, `${last.nodes} nodes after ${first.nodes}`)
  t.ok(last.bytes < first.bytes * 1.25, `${last.bytes} bytes after ${first.bytes}`)
  t.same(complaints, [])
})

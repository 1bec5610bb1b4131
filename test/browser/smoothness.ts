import t from '../tap.js'
import { scripted } from '../chat.js'
import { sendMessage, startClient } from './browser.js'
import { openLongChat } from './long-chat.js'

/**
 * Prints how smooth a conversation of 10,000 messages is: no test, since a busy machine would fail it.
 * node --enable-source-maps dist/test/browser/smoothness.js, on a quiet machine.
 */
const steward = await startClient(t)
const { anthropic, page } = steward
const messages = 10_000

const heap = async (): Promise<number> => {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}

interface Frames { fps: number, slowest: number, over: number, count: number }

/** Counts the frames of so many milliseconds, while each of them runs `each`. */
const frames = (ms: number, each = ''): Promise<Frames> => page.evaluate<Frames>(`new Promise((resolve) => {
  const body = document.querySelector('.thread-body')
  const start = performance.now()
  const times = [start]
  const step = () => {
    const now = performance.now()
    times.push(now)
    ${each}
    if (now - start < ${ms}) return requestAnimationFrame(step)
    const gaps = times.slice(1).map((time, index) => time - times[index])
    resolve({
      fps: Math.round(gaps.length * 10_000 / (now - start)) / 10, slowest: Math.round(Math.max(...gaps)),
      over: gaps.filter((gap) => gap > 50).length, count: gaps.length
    })
  }
  requestAnimationFrame(step)
})`)

const print = (what: string, { fps, slowest, over, count }: Frames) => {
  t.comment(`${what}: ${fps} frames a second, the slowest ${slowest} ms, ${over} of ${count} over 50 ms`)
}

const scroll = (pixels: number) => frames(10_000, `body.scrollBy({ top: ${pixels}, behavior: 'instant' })`)

await openLongChat(steward, messages, 'The newest answer.')
const before = await heap()
print('still', await frames(3_000))
print('scrolling up by 120 pixels a frame', await scroll(-120))
print('scrolling up by five screens a frame', await scroll(-4_000))
print('scrolling down by 120 pixels a frame', await scroll(120))
const scrolled = await heap()
await page.evaluate("document.querySelector('.thread-body').scrollTo({ top: 1e9, behavior: 'instant' })")
const text = Array.from({ length: 600 }, (_, index) => `Word ${index} of **a long** answer with \`code\`.`).join(' ')
await sendMessage(page, scripted(anthropic, [{ content: [{ type: 'text', text: `${text}\n\nIt ends.` }] }]))
print('while an answer streams', await frames(10_000))
await page.getByText('It ends.').waitFor({ timeout: 120_000 })
t.comment(`heap ${before.toFixed(1)} MB at first, ${scrolled.toFixed(1)} MB after scrolling, ` +
  `${(await heap()).toFixed(1)} MB after the answer`)
t.ok(await page.getByText('It ends.').isVisible(), 'the answer ended')

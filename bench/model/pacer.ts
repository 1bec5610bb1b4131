import type { ServerResponse } from 'node:http'
import { textEnd, textStart, textWord } from './frames.js'

interface Paced { res: ServerResponse, left: number, tokens: number, due: number }

// Streams of one rate come due in the order in which they were last served, so a Set, which keeps the order of
// insertion, is the whole timer queue.
const queues = new Map<number, Set<Paced>>()
let timer: NodeJS.Timeout | undefined

/** Sends `tokens` words at `rate` words a second, the first one at once. */
export const pace = (res: ServerResponse, tokens: number, rate: number): void => {
  const queue = queues.get(rate) ?? new Set()
  queues.set(rate, queue)
  const stream = { res, tokens, left: tokens - 1, due: performance.now() + 1000 / rate }
  res.socket?.write(textStart)
  res.once('close', () => queue.delete(stream))
  queue.add(stream)
  timer ??= setInterval(tick, 5)
}

const tick = () => {
  const now = performance.now()
  let live = 0
  for (const [rate, queue] of queues) {
    serve(queue, now, 1000 / rate)
    live += queue.size
  }
  if (live > 0) return
  clearInterval(timer)
  timer = undefined
}

const serve = (queue: Set<Paced>, now: number, interval: number) => {
  for (const stream of queue) {
    if (stream.due > now) return
    queue.delete(stream)
    if (stream.left === 0) {
      stream.res.socket?.write(textEnd(stream.tokens))
      stream.res.end()
      continue
    }
    stream.left -= 1
    stream.due += interval
    stream.res.socket?.write(textWord)
    queue.add(stream)
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createParser } from 'eventsource-parser'

export interface SseMessage { id?: string | undefined, event?: string | undefined, data: string }

export interface SseRequest { body: string, headers: Record<string, string>, fetch: typeof fetch }

/** Reads a stream to its end, and gives each message to `take` until that says that it was the last. */
export type SseReader = (url: string, request: SseRequest, take: (message: SseMessage) => boolean) => Promise<void>

/** A client by hand, as docs/api.md describes one: a parser, and the id of the last event that it held. */
export const byParser: SseReader = async (url, { body, headers, fetch: send }, take) => {
  let lastId: string | undefined
  for (let isOver = false; !isOver;) {
    const parser = createParser({
      onEvent: (message) => {
        lastId = message.id ?? lastId
        isOver = take(message) || isOver
      }
    })
    const resumed = lastId === undefined ? headers : { ...headers, 'last-event-id': lastId }
    const answer = await send(url, { method: 'POST', body, headers: resumed })
    const decoder = new TextDecoder()
    try {
      for await (const piece of answer.body ?? []) parser.feed(decoder.decode(piece, { stream: true }))
    } catch {
      // The connection broke: what the parser has of a message it drops.
    }
  }
}

const path = join(process.cwd(), 'examples/clients/node_modules/event-source-plus/dist/index.mjs')

/** Of the package event-source-plus, what is used here. */
interface Plus {
  EventSourcePlus: new (url: string, options: { method: 'post' } & SseRequest) => {
    listen: (hooks: { onMessage: (message: SseMessage) => void }) => { abort: () => void }
  }
}

/** @returns a client of the package event-source-plus; undefined where those of examples/clients are not installed */
export const loadEventSourcePlus = async (): Promise<SseReader | undefined> => {
  if (!existsSync(path)) return undefined
  const { EventSourcePlus } = await import(pathToFileURL(path).href) as Plus
  return (url, request, take) => new Promise((resolve) => {
    const controller = new EventSourcePlus(url, { method: 'post', ...request }).listen({
      onMessage: (message) => {
        if (!take(message)) return
        controller.abort()
        resolve()
      }
    })
  })
}

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from '../../tap.js'
import type { App } from '../../app.js'
import type { Headers } from '../../flows/voting.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export const callerOf = (app: App) => (headers: Headers, method: Method, path = '', payload?: object) =>
  app.inject({ method, url: `/account/channels${path}`, headers, ...(payload && { payload }) })

/** An HTTP server that answers as `state` says, and keeps what it was sent. */
export const startReceiver = async (t: Pick<Test, 'teardown'>) => {
  const got: { headers: http.IncomingHttpHeaders, body: string, status: number }[] = []
  const state = { status: 204 }
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8'), status: state.status })
      response.writeHead(state.status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { got, state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in` }
}

/** Looks for events now, and sends what is due. */
export const work = async (app: App): Promise<void> => {
  await app.db.updateTable('channel_look').set({ claimed_at: new Date(0) }).execute()
  await app.jobs.enqueue(app.db, 'channels.sweep-events', {})
  await app.jobs.drain()
}

/** As if every pause were over. */
export const retryNow = async (app: App): Promise<void> => {
  await app.db.updateTable('channel').set({ paused_until: null }).execute()
  const rows = await app.db.updateTable('channel_delivery').set({ next_attempt_at: new Date(0) })
    .where('next_attempt_at', 'is not', null).returning(['workspace_id', 'id']).execute()
  for (const { workspace_id, id } of rows) {
    await app.jobs.enqueue(app.db, 'channels.deliver', { workspace_id, delivery_id: id })
  }
  await app.jobs.drain()
}

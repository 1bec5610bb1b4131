import t from '../tap.js'
import { get, send } from './crash-client.js'
import { makeWorld } from './crash-steward.js'

/** Creates projects until the process is gone; calls back for each that was acknowledged. */
const writeUntilDeath = async (url: string, writer: string, onAcknowledged: (name: string) => void): Promise<void> => {
  for (let count = 0; ; count++) {
    const name = `${writer}-${count}`
    try {
      const answer = await send(url, '/account/projects', { name })
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
      onAcknowledged(name)
    } catch (error) {
      // fetch throws a TypeError when the connection breaks.
      if (!(error instanceof TypeError)) throw error
      return
    }
  }
}

const listNames = async (url: string): Promise<string[]> => {
  const names: string[] = []
  for (let cursor = ''; ;) {
    const page = await get(url, `/account/projects?limit=100${cursor}`)
    names.push(...(page.items as { name: string }[]).map((item) => item.name))
    if (page.next_cursor === null) return names
    cursor = `&cursor=${encodeURIComponent(String(page.next_cursor))}`
  }
}

t.test('kill -9 while acknowledged writes run: each of them is there after the restart', async (t) => {
  const world = await makeWorld(t, { LIMITS: JSON.stringify({ lease_ms: 1_500, requests_per_minute: 100_000 }) })
  const acknowledged: string[] = []
  for (const [round, writers] of [1, 8, 8].entries()) {
    const { steward, url } = await world.start()
    const enough = acknowledged.length + 1 + Math.floor(Math.random() * 60)
    const onAcknowledged = (name: string) => {
      acknowledged.push(name)
      if (acknowledged.length === enough) void steward.kill()
    }
    await Promise.all(Array.from({ length: writers }, (_, index) =>
      writeUntilDeath(url, `r${round}-w${index}`, onAcknowledged)))
    t.match(await steward.exited, { signal: 'SIGKILL' })
  }
  const { url } = await world.start()
  const found = new Set(await listNames(url))
  t.same(acknowledged.filter((name) => !found.has(name)), [], `all of ${acknowledged.length} are there`)
})

t.test('kill -9 while a key is used: the same request again is answered, or reported as unknown, never done twice',
  async (t) => {
    const world = await makeWorld(t)
    const { steward, url } = await world.start({ FAULT: 'idempotency.before_store:3' })
    const create = (address: string, name: string) => fetch(`${address}/account/projects`, {
      method: 'POST',
      headers: {
        ...Object.fromEntries([['authorization', `Bearer ${world.env.ADMIN_TOKEN}`]]),
        'content-type': 'application/json',
        'idempotency-key': `key-${name}`
      },
      body: JSON.stringify({ name })
    })
    t.equal((await create(url, 'one')).status, 201)
    t.equal((await create(url, 'two')).status, 201)
    await t.rejects(create(url, 'three'))
    await steward.exited
    const { url: again } = await world.start()
    const replayed = await create(again, 'two')
    t.equal(replayed.status, 201)
    t.equal(replayed.headers.get('idempotent-replayed'), 'true')
    const unknown = await create(again, 'three')
    t.equal(unknown.status, 409)
    t.match(await unknown.json(), { code: 'idempotency_in_progress' })
    const names = await listNames(again)
    t.same(names.toSorted(), ['one', 'three', 'two'], 'the write was done, once')
  })

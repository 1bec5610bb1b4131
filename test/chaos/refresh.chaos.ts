import t from '../tap.js'
import { startHost } from '../routes/codehost/browser.js'
import { startFleet } from './fleet.js'
import { requirePostgres, openQueries } from './postgres.js'

await requirePostgres(t)
const { environment, control } = await startHost(t)
const fleet = await startFleet(t, 3, {}, { ...environment, CODEHOST_SIGN_IN: 'larkspur=member' })
const query = openQueries(t, fleet.world.env.DATABASE_URL ?? '')

/** Where it leads, and the cookies that were set on the way. */
const go = async (url: string, cookie = '') => {
  const answer = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } })
  await answer.arrayBuffer()
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]).join('; ')
  return { url: new URL(answer.headers.get('location') ?? '', url), cookies }
}

/** The whole way of a browser at one instance. @returns the cookies of the session, which any instance takes */
const signIn = async (url: string, login: string): Promise<string> => {
  await control('POST', '/users', { login })
  await control('PUT', '/members', { login, role: 'member' })
  const asked = await go(`${url}/codehost-oauth/authorize`)
  asked.url.searchParams.set('login', login)
  const chosen = await go(asked.url.href)
  return (await go(chosen.url.href, asked.cookies)).cookies
}

t.test('a dead token is refreshed once, while three instances ask with it at once', async (t) => {
  await control('POST', '/settings', { expiring_tokens: true, token_seconds: 3_600 })
  const cookie = await signIn(fleet.apis[0]?.url ?? '', 'anna')
  for (let round = 1; round <= 5; round++) {
    await query(`update codehost_identity set refresh_at = now() - interval '20 minutes',
      expires_at = now() - interval '1 second' where login = 'anna'`)
    await control('DELETE', '/calls')
    // Long enough for all of them to come while it is under way.
    await control('POST', '/faults', { kind: 'slow', operation: 'exchangeToken', delay_ms: 500 })
    const answers = await Promise.all(Array.from({ length: 30 }, async (_, index) => {
      const answer = await fetch(`${fleet.apis[index % 3]?.url}/codehost/repos`, { headers: { cookie } })
      await answer.arrayBuffer()
      return answer.status
    }))
    t.same(answers.filter((status) => status !== 200), [], 'everybody is answered')
    t.equal((await control('GET', '/calls?operation=exchangeToken')).count, 1, 'the code host was asked once')
  }
  const [row] = await query<{ state: string, generation: number, lease_until: Date | null }>(
    "select state, generation::integer, lease_until from codehost_identity where login = 'anna'")
  t.same(row, { state: 'active', generation: 7, lease_until: null })
})

import t from '../../tap.js'
import { Browser, startWithHost } from './browser.js'

const start = async (rules: string) => {
  const { app, control } = await startWithHost(t, { CODEHOST_SIGN_IN: rules, LIMITS: '{"sign_ins_per_minute":10000}' })
  await control('POST', '/users', { login: 'rhea' })
  await control('PUT', '/members', { login: 'rhea', role: 'member' })
  await control('PUT', '/teams', { team: 'platform', login: 'rhea', member: true })
  const signIn = async (login: string) => (await new Browser(app).signIn(login)).statusCode
  /** @returns the new number of the organisation, whose name and members stay */
  const replace = async () => (await control('POST', '/organisations/replace', {})).id
  return { app, signIn, replace }
}

t.test('a stranger\'s organisation under a known name lets no person sign in', async (t) => {
  for (const rules of ['larkspur=viewer', 'larkspur/platform=member', 'Larkspur=viewer,larkspur/platform=admin']) {
    const { app, signIn, replace } = await start(rules)
    t.equal(await signIn('rhea'), 302, rules)
    t.match(await app.db.selectFrom('codehost_organisation').select(['login', 'organisation_id']).execute(),
      [{ login: 'larkspur', organisation_id: /^[0-9]+$/ }], 'the number is kept once')
    await replace()
    t.equal(await signIn('rhea'), 403, 'neither who was in before')
    t.equal(await signIn('octavia'), 403, 'nor who never was')
  }
})

t.test('a rule with an id is for that organisation from the start', async (t) => {
  const first = await start('larkspur=viewer')
  t.equal(await first.signIn('rhea'), 302)
  const { organisation_id: number } = await first.app.db.selectFrom('codehost_organisation').select('organisation_id')
    .executeTakeFirstOrThrow()
  const named = await start(`larkspur#${number}=viewer,larkspur#${number}/platform=member`)
  t.equal(await named.signIn('rhea'), 302)
  t.same(await named.app.db.selectFrom('codehost_organisation').selectAll().execute(), [], 'nothing need be kept')
  await named.replace()
  t.equal(await named.signIn('rhea'), 403)
  const other = await start(`larkspur#${Number(number) + 1}=admin`)
  t.equal(await other.signIn('rhea'), 403)
})

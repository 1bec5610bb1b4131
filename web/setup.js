import { say, sayPage } from './setup.texts.js'

const areas = ['agent', 'cloud', 'infrastructure', 'deployments', 'pse', 'content', 'codehost', 'account']
const scopes = [...areas.flatMap((area) => [`${area}:read`, `${area}:write`]), 'approvals:write']

sayPage()

const find = (id) => document.getElementById(id)
const showStatus = (text) => { find('status').textContent = text }

/** The page of the client that a person had asked for before they signed in; nothing but a fragment of ours. */
const page = new URLSearchParams(location.search).get('page')
if (/^#\/[\w/-]+$/.test(page ?? '')) find('open').href = `./${page}`

/** Removes the token from the address bar, and so from the history. */
const takeToken = () => {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  history.replaceState(null, '', location.pathname)
  return token
}

const call = async (method, path, body) => {
  const answer = await fetch(path, {
    method,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  })
  const value = answer.status === 204 ? undefined : await answer.json()
  if (!answer.ok) throw Object.assign(new Error(value.detail), { code: value.code })
  return value
}

const reasons = {
  link_used: 'This link was used already, or a newer link has replaced it.',
  link_expired: 'This link has expired.',
  unauthenticated: 'You are not signed in, or this link is not known.'
}
const advice = ['For a new link, start Steward again, or run "node dist/server.js setup-link" while it is stopped.',
  'An admin can also make one for you.']

const showMe = async () => {
  const { user, workspace } = await call('GET', 'account/me')
  find('name').textContent = user.name
  find('role').textContent = say(user.role)
  find('workspace').textContent = workspace.name
  find('ways').hidden = false
  showStatus('')
}

const createToken = async () => {
  find('create').disabled = true
  try {
    const made = await call('POST', 'account/tokens', { name: 'From the set-up page', scopes, expires_in_days: 30 })
    const url = new URL('api/v1/agent/chat', location.href).href
    find('secret').textContent = made.secret
    find('example').textContent = [
      `curl -N ${url} \\`,
      `  -H 'Authorization: Bearer ${made.secret}' \\`,
      '  -H \'Content-Type: application/json\' \\',
      '  -d \'{"message": "Which clusters do I have?"}\''
    ].join('\n')
    find('made').hidden = false
  } catch (error) {
    showStatus(error.message)
    find('create').disabled = false
  }
}

const explain = (error) => error.code in reasons
  ? [reasons[error.code], ...advice].map((text) => say(text)).join(' ')
  : error.message

/** @param refusal why the link did not work */
const showState = async (refusal) => {
  try {
    await showMe()
    if (refusal) showStatus(refusal)
  } catch (error) {
    showStatus(refusal || explain(error))
  }
}

const start = () => {
  const token = takeToken()
  if (!token) return showState()
  // A link works once: what looks at pages for people, such as a scanner of mails, opens them and clicks nothing.
  find('use').addEventListener('click', async () => {
    find('confirm').hidden = true
    showStatus(say('One moment …'))
    await showState(await call('POST', 'account/sign-in', { token }).then(() => undefined, explain))
  }, { once: true })
  find('confirm').hidden = false
  showStatus('')
}

find('create').addEventListener('click', createToken)
addEventListener('hashchange', () => location.reload())
start()

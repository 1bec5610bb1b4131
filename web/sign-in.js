const find = (id) => document.getElementById(id)
const tell = (text) => { find('status').textContent = text }

const call = async (method, path) => {
  const answer = await fetch(path, { method, credentials: 'same-origin' })
  const value = answer.status === 204 ? undefined : await answer.json()
  if (!answer.ok) throw Object.assign(new Error(value.detail), { code: value.code })
  return value
}

/** Where the visitor was going; the server takes no place but its own. */
const wanted = new URLSearchParams(location.search).get('return_to')

const linkTo = (element, returnTo) => {
  const url = new URL(element.href)
  url.searchParams.set('return_to', returnTo)
  element.href = url.href
}

const showOffer = async () => {
  const { available, name, sandboxed } = await call('GET', 'codehost-oauth/offer')
  if (!available) return tell('Open the one-time link that you were given, or ask an admin for one.')
  find('host').textContent = name
  if (wanted) linkTo(find('begin'), wanted)
  find('sandboxed').hidden = !sandboxed
  find('offer').hidden = false
  tell('')
}

const showConnection = async () => {
  linkTo(find('connect'), location.pathname)
  try {
    const { login, host } = await call('GET', 'codehost/connection')
    find('connection').textContent = `Connected as ${login} at ${host}.`
    find('disconnect').hidden = false
  } catch (error) {
    find('connection').textContent = `${error.message}.`
    find('connect').hidden = !['codehost_not_connected', 'codehost_reauth_required'].includes(error.code)
  }
}

const showMe = async ({ user }) => {
  find('name').textContent = user.name
  find('role').textContent = user.role
  find('signed-in').hidden = false
  tell('')
  await showConnection()
}

const doThenReload = (method, path) => async () => {
  try {
    const { revoked_upstream: revoked = true, revoke_url: url } = await call(method, path) ?? {}
    if (revoked || !url) return location.reload()
    tell(`Disconnected here. The code host did not confirm it: end it there, at ${url}`)
  } catch (error) {
    tell(error.message)
  }
}

const start = async () => {
  try {
    await showMe(await call('GET', 'account/me'))
  } catch (error) {
    await (error.code === 'unauthenticated' ? showOffer() : tell(error.message))
  }
}

find('disconnect').addEventListener('click', doThenReload('DELETE', 'codehost/connection'))
find('sign-out').addEventListener('click', doThenReload('POST', 'account/sign-out'))
start().catch((error) => tell(error.message))

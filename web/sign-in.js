import { say, sayPage } from './setup.texts.js'

sayPage()

const find = (id) => document.getElementById(id)
const showStatus = (text) => { find('status').textContent = text }

const call = async (method, path) => {
  const answer = await fetch(path, { method, credentials: 'same-origin' })
  const value = answer.status === 204 ? undefined : await answer.json()
  if (!answer.ok) throw Object.assign(new Error(value.detail), { code: value.code })
  return value
}

/** The page to return to; the server accepts only its own pages. */
const returnPath = new URLSearchParams(location.search).get('return_to')

const linkTo = (element, returnTo) => {
  const url = new URL(element.href)
  url.searchParams.set('return_to', returnTo)
  element.href = url.href
}

/** One button for each of the workspace's identity providers. Their names are texts that admins wrote. */
const showProviders = (providers) => {
  for (const { id, name } of providers) {
    const link = document.createElement('a')
    link.className = 'primary'
    link.href = `identity/${id}/authorize`
    link.textContent = say('Sign in with {name}', { name })
    if (returnPath) linkTo(link, returnPath)
    const line = document.createElement('p')
    line.append(link)
    find('providers').append(line)
  }
  find('providers').hidden = providers.length === 0
}

const showOffer = async () => {
  const [{ available, name, sandboxed }, { providers }] = await Promise.all([
    call('GET', 'codehost-oauth/offer'), call('GET', 'identity/offer')
  ])
  showProviders(providers)
  if (!available) return showStatus(providers.length > 0 ? '' : say('Open your one-time link, or ask an admin for one.'))
  find('host').textContent = name
  if (returnPath) linkTo(find('begin'), returnPath)
  find('sandboxed').hidden = !sandboxed
  find('offer').hidden = false
  showStatus('')
}

const showConnection = async () => {
  linkTo(find('connect'), location.pathname)
  try {
    const { login, host } = await call('GET', 'codehost/connection')
    find('connection').textContent = say('Connected as {login} at {host}.', { login, host })
    find('disconnect').hidden = false
  } catch (error) {
    find('connection').textContent = `${error.message}.`
    find('connect').hidden = !['codehost_not_connected', 'codehost_reauth_required'].includes(error.code)
  }
}

const showMe = async ({ user }) => {
  find('name').textContent = user.name
  find('role').textContent = say(user.role)
  find('signed-in').hidden = false
  showStatus('')
  await showConnection()
}

const doThenReload = (method, path) => async () => {
  try {
    const { revoked_upstream: revoked = true, revoke_url: url } = await call(method, path) ?? {}
    if (revoked || !url) return location.reload()
    showStatus(say('Disconnected here. The code host did not confirm it: revoke the access at {url}', { url }))
  } catch (error) {
    showStatus(error.message)
  }
}

/** At the identity provider, too, where it offers that. */
const signOut = async () => {
  try {
    const { url } = await call('POST', 'account/identity-sign-out')
    if (url === null) location.reload()
    else location.assign(url)
  } catch (error) {
    showStatus(error.message)
  }
}

const start = async () => {
  try {
    await showMe(await call('GET', 'account/me'))
  } catch (error) {
    await (error.code === 'unauthenticated' ? showOffer() : showStatus(error.message))
  }
}

find('disconnect').addEventListener('click', doThenReload('DELETE', 'codehost/connection'))
find('sign-out').addEventListener('click', () => { signOut().catch((error) => showStatus(error.message)) })
start().catch((error) => showStatus(error.message))

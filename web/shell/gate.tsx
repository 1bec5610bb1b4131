import type { ComponentChildren } from 'preact'
import { useSignal } from '@preact/signals'
import { api, baseUrl, body } from '../api/client'
import { useResource } from '../api/resource'
import { ProblemNotice } from '../parts/notice'
import { Logo } from './logo'
import { loadSession, startProblem } from './session'
import { say, sayWith } from '../texts/say'

/** A one-time link's token; that of a workspace beside the first one carries the workspace's key. */
const linkToken = /stw_link_(?:[0-9A-Za-z]{22}_)?[0-9A-Za-z]{36}/

const Gate = ({ children }: { children: ComponentChildren }) =>
  <main class='gate'><div class='card'>{children}</div></main>

/** Accepts a one-time link that was copied from the log. */
const LinkForm = () => {
  const link = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    const token = linkToken.exec(link.value)?.[0]
    // The set-up page leads back to what was asked for.
    const back = new URLSearchParams({ page: location.hash }).toString()
    if (token) location.href = `${baseUrl}/setup?${back}#token=${token}`
  }
  return (
    <form class='stack tight' onSubmit={submit}>
      <label class='field'><span>{say('signIn.link')}</span>
        <input
          autocomplete='off' spellcheck={false} placeholder='…/setup#token=stw_link_…' value={link.value}
          onInput={(event) => { link.value = event.currentTarget.value }}
        />
      </label>
      <button class='primary' disabled={!linkToken.test(link.value)}>{say('signIn.verb')}</button>
    </form>
  )
}

/** Signing in returns to the requested page. */
const signInUrl = () =>
  `${baseUrl}/sign-in?${new URLSearchParams({ return_to: location.pathname + location.hash }).toString()}`

/** Links to the page for signing in with the code host, if that is set up. */
const CodeHostLink = () => {
  const { data: offer } = useResource([], (signal) => body(api.GET('/codehost-oauth/offer', { signal })))
  if (!offer?.available) return null
  return <p><a class='button primary' href={signInUrl()}>{say('signIn.with', { name: offer.name ?? '' })}</a></p>
}

export const SignedOut = () => <Gate>
  <h1 class='row'><Logo size={28} />{say('signIn.title')}</h1>
  <CodeHostLink />
  <p class='muted'>{say('signIn.words')}</p>
  <LinkForm />
  <p class='small muted'>
    {sayWith('signIn.lost', { command: <code>node dist/server.js setup-link</code> })}
  </p>
</Gate>

export const NotReached = () => <Gate>
  <h1 class='row'><Logo size={28} />Steward</h1>
  {startProblem.value && <ProblemNotice problem={startProblem.value} retry={() => { void loadSession() }} />}
</Gate>

import { useSignal } from '@preact/signals'
import { Link } from 'wouter-preact'
import { api, body } from '../../api/client'
import { useResource } from '../../api/resource'
import { Circle, CircleCheck } from '../../parts/icons'
import { me, sandboxed } from '../../shell/session'
import { say } from '../../texts/say'

interface Step { key: string, done: boolean, title: string, words: string, to?: string }

const hiddenKey = 'steward-first-steps'
/** A step that is done elsewhere is ticked soon after. */
const every = 10_000

const isConnected = async (signal: AbortSignal): Promise<boolean> =>
  body(api.GET('/codehost/connection', { signal })).then(() => true, () => false)

const readSteps = async (signal: AbortSignal): Promise<Step[]> => {
  const [accounts, people, connected] = await Promise.all([
    body(api.GET('/cloud/accounts', { params: { query: { limit: 100 } }, signal })),
    body(api.GET('/account/users', { params: { query: { limit: 2 } }, signal })),
    isConnected(signal)
  ])
  const isOwn = (name: string) => !sandboxed.value.includes(name)
  return [
    {
      key: 'model',
      done: isOwn('anthropic'),
      title: say('chat.step.model'),
      words: say('chat.step.model.words'),
      to: '/settings/model'
    },
    {
      key: 'cloud',
      done: accounts.items.some(({ sandbox, status }) => !sandbox && status !== 'incomplete'),
      title: say('chat.step.cloud'),
      words: say('chat.step.cloud.words'),
      to: '/accounts'
    },
    {
      key: 'codehost',
      done: isOwn('codehost') && connected,
      title: say('chat.step.codehost'),
      words: say('chat.step.codehost.words'),
      to: '/settings/connections'
    },
    {
      key: 'people',
      done: people.items.length > 1,
      title: say('chat.step.people'),
      words: say('chat.step.people.words'),
      to: '/settings/members'
    }
  ]
}

const Row = ({ done, title, words, to }: Step) => {
  const Icon = done ? CircleCheck : Circle
  return (
    <li class={done ? 'done' : undefined}>
      <Icon size={18} aria-hidden='true' />
      <span>
        {to && !done ? <Link href={to}>{title}</Link> : title}
        <span class='unseen'>{done ? say('chat.step.done') : say('chat.step.open')}</span>
        {!done && <span class='small muted'> {words}</span>}
      </span>
    </li>
  )
}

/** What a new installation still lacks: each step ticks itself, and all of it goes when everything is there. */
export const FirstSteps = () => {
  const hidden = useSignal(localStorage.getItem(hiddenKey) !== null)
  const isAdmin = me.value?.role === 'admin'
  const wanted = useSignal(isAdmin && !hidden.value)
  const { data: steps } = useResource([sandboxed.value.join()], async (signal) => {
    const found = wanted.peek() ? await readSteps(signal) : []
    // What is done stays so: nobody asks again.
    wanted.value = found.some(({ done }) => !done)
    return found
  }, { every })
  if (hidden.value || !steps || steps.every(({ done }) => done)) return null
  const left = steps.filter(({ done }) => !done).length
  return (
    <section class='first-steps' aria-labelledby='first-steps'>
      <div class='row'>
        <h3 id='first-steps' class='grow'>{say('chat.steps', { count: left })}</h3>
        <button
          type='button' class='quiet' onClick={() => {
            localStorage.setItem(hiddenKey, 'hidden')
            hidden.value = true
            wanted.value = false
          }}
        >{say('chat.steps.hide')}
        </button>
      </div>
      <ul>{steps.map((step) => <Row {...step} key={step.key} />)}</ul>
    </section>
  )
}
